import { createHmac } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import type { ReportFile, ReportLink } from '#server/modules/audit/schema.ts'

/** Long enough to follow a redirect. */
const LINK_LIFETIME_MS = 60_000

/**
 * A link to one day's file, which needs no other credentials and is good for a minute; who asked for it is logged. For admin
 * VIEW_HISTORY, else FORBIDDEN; NOT_FOUND for a day without a file, and for another file's name.
 */
export function openReport(ctx: Ctx, key: Buffer, { fileId, fileName }: ReportFile): Promise<ReportLink> {
  if (!holds(ctx, 'VIEW_HISTORY')) throw new DomainError('FORBIDDEN')
  if (fileName !== undefined && fileName !== nameOfReport(fileId)) throw new DomainError('NOT_FOUND')
  return inTransaction(ctx, async (ctx) => {
    await refuseEmptyDay(ctx, fileId)
    await recordAudit(ctx, { action: 'report.downloaded', subjectType: 'report', subjectId: fileId })
    const expires = String(ctx.now().getTime() + LINK_LIFETIME_MS)
    return { fileId, expires, signature: signatureOf(key, { fileId, expires }).toString('base64url') }
  })
}

export function nameOfReport(fileId: string): string {
  return `moderation-activity-${fileId}.csv`
}

export function signatureOf(key: Buffer, { fileId, expires }: Pick<ReportLink, 'fileId' | 'expires'>): Buffer {
  return createHmac('sha256', key).update(`${fileId}\n${expires}`).digest()
}

/** Uses reported_act_at_audit_id_line_bytes_idx. */
async function refuseEmptyDay(ctx: Ctx, fileId: string): Promise<void> {
  const start = new Date(fileId)
  const act = await queryOne(
    ctx,
    Prisma.sql`
    select true as found from reported_act where at >= ${start} and at < ${start}::timestamptz + interval '1 day' limit 1`,
  )
  if (act === undefined) throw new DomainError('NOT_FOUND')
}
