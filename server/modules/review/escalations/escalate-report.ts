import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { EscalateReportInput } from '#server/modules/review/escalations/schema.ts'
import type { ReviewItem } from '#server/modules/review/queue/handlers/handler.ts'
import { handlerOf } from '#server/modules/review/queue/handlers/handlers.ts'
import { IS_ESCALATED } from '#server/modules/review/queue/reported.ts'
import type { Subject } from '#server/modules/review/queue/schema.ts'

/**
 * Marks an open report as escalated, with a note for colleagues. It stays in the reported view, and deciding on it ends the escalation. Fails
 * with NOT_FOUND and FORBIDDEN as dismissing does, CHANGED if it is no longer open or already escalated.
 */
export function escalateReport(ctx: Ctx, { note, ...subject }: EscalateReportInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const report = await lockOpen(ctx, subject)
    const marked = await execute(
      ctx,
      sql`
      update report r set escalation_note = ${note}, escalated_by = ${actingUserId(ctx) ?? actorName(ctx)},
        escalated_by_name = ${actorName(ctx)}, escalated_at = ${ctx.now()}
      where ${ofThis(subject)} and not ${IS_ESCALATED}`,
    )
    if (marked === 0) throw new DomainError('CHANGED')
    await recordStep(ctx, { ...subject, report, act: 'escalated', event: 'didEscalateReport', text: note })
  })
}

/** Removes that mark. Fails with CHANGED if the report isn't escalated. */
export function deescalateReport(ctx: Ctx, subject: Subject): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const report = await lockOpen(ctx, subject)
    const cleared = await execute(
      ctx,
      sql`
      update report r set escalation_note = null, escalated_by = null, escalated_by_name = null, escalated_at = null
      where ${ofThis(subject)} and ${IS_ESCALATED}`,
    )
    if (cleared === 0) throw new DomainError('CHANGED')
    await recordStep(ctx, { ...subject, report, act: 'deescalated', event: 'didDeescalateReport' })
  })
}

async function lockOpen(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<ReviewItem> {
  const report = await handlerOf(subjectType, 'dismissed').lock(ctx, subjectId)
  if (!report.isWaiting) throw new DomainError('CHANGED')
  return report
}

/** Uses report_pkey. */
function ofThis({ subjectType, subjectId }: Subject) {
  return sql`r.subject_type = ${subjectType}::subject_type and r.subject_id = ${subjectId} and r.closed_at is null`
}

interface Step extends Subject {
  report: ReviewItem
  act: string
  event: string
  text?: string
}

async function recordStep(ctx: Ctx, { subjectType, subjectId, report, act, event, text }: Step): Promise<void> {
  const { communityId, channelId = null } = report
  const where = { subjectType, subjectId, communityId, channelId }
  await recordAudit(ctx, {
    ...where,
    action: `${subjectType}.${act}`,
    after: { report: act },
    ...(text !== undefined && { text }),
  })
  await recordEvent(ctx, { ...where, name: `desk.${subjectType}.${event}`, payload: {}, isDeskOnly: true })
}
