import type { StoredRow } from '#server/modules/ledger/audit/sign-row.ts'

/**
 * What seals of version 1 cover: exactly the text that the function `audit_content` of the first migration returned. It had
 * milliseconds only; the column held nothing finer, so a row with a finer time is not what was written.
 */
export function legacyContent(row: StoredRow): string {
  const parts = [
    row.auditId,
    milliseconds(row.at),
    ...[row.actorKind, row.actorId, row.source, row.action, row.subjectType, row.subjectId].map(textOf),
    ...[row.communityId, row.channelId].map(textOf),
    row.before ?? 'null',
    row.after ?? 'null',
    textOf(row.textDigest === null ? null : Buffer.from(row.textDigest).toString('hex')),
    textOf(row.requestId),
  ]
  return `[${parts.join(', ')}]`
}

/** PostgreSQL escapes the same characters in JSON as JavaScript. */
function textOf(text: string | null): string {
  return JSON.stringify(text)
}

function milliseconds(at: string): string {
  const [, sign, seconds, thousandths] = /^(-?)(\d+)\.(\d{3})000$/.exec(at) ?? []
  return seconds === undefined ? `not in milliseconds: ${at}` : String(BigInt(`${sign}${seconds}${thousandths}`))
}
