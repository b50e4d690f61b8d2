import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockOpenReport } from '#server/modules/review/decisions/lock-pending.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { requireColleague } from '#server/modules/review/escalations/colleagues.ts'
import { recordStep } from '#server/modules/review/escalations/record-step.ts'
import type { EscalateInput, HandOverInput } from '#server/modules/review/escalations/schema.ts'
import { IS_ESCALATED } from '#server/modules/review/queue/reported.ts'

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
      update review_item r set escalation_note = ${note}, escalated_by = ${actingUserId(ctx) ?? actorName(ctx)},
        escalated_by_name = ${actorName(ctx)}, escalated_at = ${ctx.now()}, handed_to = ${handTo ?? null}
      where ${ofThis(subject)} and not ${IS_ESCALATED}`,
    )
    if (marked === 0) throw new DomainError('CHANGED')
    await recordStep(ctx, report, {
      act: 'escalated',
      event: 'didEscalateReport',
      after: { report: 'escalated', handedTo: handTo ?? null },
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
      update review_item r set handed_to = ${handTo}
      from (select r.handed_to from review_item r where ${ofThis(subject)} and ${IS_ESCALATED} for update) old
      where ${ofThis(subject)} returning old.handed_to`,
    )
    if (before === undefined) throw new DomainError('CHANGED')
    await recordStep(ctx, report, {
      act: 'handedOver',
      event: 'didEscalateReport',
      before: { ...before },
      after: { report: 'handedOver', handedTo: handTo },
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
      update review_item r set escalation_note = null, escalated_by = null, escalated_by_name = null, escalated_at = null, handed_to = null
      where ${ofThis(subject)} and ${IS_ESCALATED}`,
    )
    if (cleared === 0) throw new DomainError('CHANGED')
    await recordStep(ctx, report, {
      act: 'deescalated',
      event: 'didDeescalateReport',
      after: { report: 'deescalated' },
    })
  })
}

/** Uses review_item_pkey. */
function ofThis({ subjectType, subjectId }: Subject) {
  return sql`r.subject_type = ${subjectType} and r.subject_id = ${subjectId} and r.kind = 'reported' and r.state = 'waiting'`
}
