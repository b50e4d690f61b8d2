import type { StoredRow } from '#server/modules/ledger/audit/sign-row.ts'

/**
 * What seals of version 1 were made over: the very text that the function `audit_content` of the first migration made in the database. It
 * had milliseconds only; the column held nothing finer, so that a row with something finer is not what was written.
 */
export function legacyContent(row: StoredRow): string {
  const parts = [
    row.auditId,
    milliseconds(row.at),
    ...[row.actorKind, row.actorId, row.door, row.action, row.subjectType, row.subjectId].map(textOf),
    ...[row.communityId, row.channelId].map(textOf),
    row.before ?? 'null',
    row.after ?? 'null',
    textOf(row.textDigest === null ? null : Buffer.from(row.textDigest).toString('hex')),
    textOf(row.requestId),
  ]
  return `[${parts.join(', ')}]`
}

/** PostgreSQL escapes in JSON what JavaScript escapes. */
function textOf(text: string | null): string {
  return JSON.stringify(text)
}

function milliseconds(at: string): string {
  const [, sign, seconds, thousandths] = /^(-?)(\d+)\.(\d{3})000$/.exec(at) ?? []
  return seconds === undefined ? `not in milliseconds: ${at}` : String(BigInt(`${sign}${seconds}${thousandths}`))
}
