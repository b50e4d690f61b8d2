import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import {
  type EscalatedReport,
  lockOpenReport,
  requireColleague,
} from '#server/modules/review/escalations/colleagues.ts'
import type { EscalateInput, HandOverInput } from '#server/modules/review/escalations/schema.ts'
import { IS_ESCALATED } from '#server/modules/review/queue/reported.ts'
import type { Subject } from '#server/modules/review/queue/schema.ts'

/**
 * Escalates an open report, with a note and optionally assigned to one colleague. It is listed among everything escalated and stays in the
 * reported view; deciding on it ends the escalation. Fails with NOT_FOUND and FORBIDDEN as dismissing does, CHANGED if it is no longer open
 * or already escalated, INVALID_PARAMETERS for a colleague who may not decide on it.
 */
export function escalateReport(ctx: Ctx, { note, handTo, ...subject }: EscalateInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const report = await lockOpenReport(ctx, subject)
    if (handTo !== undefined) await requireColleague(ctx, report, handTo)
    const marked = await execute(
      ctx,
      sql`
      update report r set escalation_note = ${note}, escalated_by = ${actingUserId(ctx) ?? actorName(ctx)},
        escalated_by_name = ${actorName(ctx)}, escalated_at = ${ctx.now()}, handed_to = ${handTo ?? null}
      where ${ofThis(subject)} and not ${IS_ESCALATED}`,
    )
    if (marked === 0) throw new DomainError('CHANGED')
    await recordStep(ctx, {
      report,
      act: 'escalated',
      event: 'didEscalateReport',
      after: { handedTo: handTo ?? null },
      text: note,
    })
  })
}

/** Assigns an escalated report to another colleague, or to nobody in particular. Fails with CHANGED if it isn't escalated. */
export function handOverReport(ctx: Ctx, { handTo, ...subject }: HandOverInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const report = await lockOpenReport(ctx, subject)
    if (handTo !== null) await requireColleague(ctx, report, handTo)
    const before = await queryOne<{ handedTo: string | null }>(
      ctx,
      sql`
      update report r set handed_to = ${handTo}
      from (select r.handed_to from report r where ${ofThis(subject)} and ${IS_ESCALATED} for update) old
      where ${ofThis(subject)} returning old.handed_to`,
    )
    if (before === undefined) throw new DomainError('CHANGED')
    await recordStep(ctx, {
      report,
      act: 'handedOver',
      event: 'didEscalateReport',
      before: { ...before },
      after: { handedTo: handTo },
    })
  })
}

/** Ends the escalation without a decision. Fails with CHANGED if the report isn't escalated. */
export function deescalateReport(ctx: Ctx, subject: Subject): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const report = await lockOpenReport(ctx, subject)
    const cleared = await execute(
      ctx,
      sql`
      update report r set escalation_note = null, escalated_by = null, escalated_by_name = null, escalated_at = null, handed_to = null
      where ${ofThis(subject)} and ${IS_ESCALATED}`,
    )
    if (cleared === 0) throw new DomainError('CHANGED')
    await recordStep(ctx, { report, act: 'deescalated', event: 'didDeescalateReport' })
  })
}

/** Uses report_pkey. */
function ofThis({ subjectType, subjectId }: Subject) {
  return sql`r.subject_type = ${subjectType}::subject_type and r.subject_id = ${subjectId} and r.closed_at is null`
}

interface Step {
  report: EscalatedReport
  act: string
  event: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  text?: string
}

async function recordStep(ctx: Ctx, { report, act, event, before, after, text }: Step): Promise<void> {
  const { subjectType, subjectId, communityId, channelId } = report
  const where = { subjectType, subjectId, communityId, channelId }
  await recordAudit(ctx, {
    ...where,
    action: `${subjectType}.${act}`,
    ...(before && { before }),
    after: { report: act, ...after },
    ...(text !== undefined && { text }),
  })
  await recordEvent(ctx, { ...where, name: `desk.${subjectType}.${event}`, payload: {}, isDeskOnly: true })
}
