import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { signLink } from '#server/core/signed-link.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import type { ReportFile, ReportLink } from '#server/modules/ledger/audit/schema.ts'

/**
 * A link to one day's file, valid for one minute, without other credentials, and as long as the caller may see the file; the request is
 * logged. Needs admin VIEW_HISTORY, else FORBIDDEN; NOT_FOUND for a day without a file, and for another file's name.
 */
export function openReport(ctx: Ctx, key: Buffer, { fileId, fileName }: ReportFile): Promise<ReportLink> {
  if (!holds(ctx, 'VIEW_HISTORY')) throw new DomainError('FORBIDDEN')
  if (fileName !== undefined && fileName !== nameOfReport(fileId)) throw new DomainError('NOT_FOUND')
  return inTransaction(ctx, async (ctx) => {
    await assertDayHasRows(ctx, fileId)
    await recordAudit(ctx, { action: 'report.downloaded', subjectType: 'report', subjectId: fileId })
    return { fileId, ...credentialOf(ctx), ...signLink(ctx, key, toReport(fileId)) }
  })
}

export function nameOfReport(fileId: string): string {
  return `moderation-activity-${fileId}.csv`
}

function credentialOf({ actor }: Ctx): Pick<ReportLink, 'credential' | 'credentialId'> {
  if (actor.kind !== 'admin') throw new DomainError('FORBIDDEN')
  const { sessionId, tokenId = '' } = actor
  return sessionId === undefined
    ? { credential: 'token', credentialId: tokenId }
    : { credential: 'session', credentialId: sessionId }
}

/** What its link is signed for. */
export const toReport = (fileId: string) => ['report', fileId]

/** Uses reported_act_at_audit_id_line_bytes_idx. */
async function assertDayHasRows(ctx: Ctx, fileId: string): Promise<void> {
  const start = new Date(fileId)
  const act = await queryOne(
    ctx,
    sql`
    select true as found from reported_act where at >= ${start} and at < ${start}::timestamptz + interval '1 day' limit 1`,
  )
  if (act === undefined) throw new DomainError('NOT_FOUND')
}
