import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertColleague } from '#server/modules/review/escalations/colleagues.ts'
import { recordStep } from '#server/modules/review/escalations/record-step.ts'
import type { EscalateInput, HandOverInput } from '#server/modules/review/escalations/schema.ts'
import { kindOf } from '#server/modules/review/queue/kinds.ts'
import type { PendingItem } from '#server/modules/review/queue/schema.ts'

/**
 * Moves a pending item to the escalated view, with a note and optionally assigned to one colleague; a report stays in the reported view too. It stays
 * pending: deciding on it ends the escalation. Fails with NOT_FOUND and FORBIDDEN as deciding does, CHANGED if it is no longer pending or already
 * escalated, INVALID_PARAMETERS for a colleague who may not decide on it.
 */
export function escalate(ctx: Ctx, { note, handTo, ...item }: EscalateInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const locked = await kindOf(item).lock(ctx, item)
    if (handTo !== undefined) await assertColleague(ctx, locked, handTo)
    const marked = await execute(
      ctx,
      sql`
      update review_item i set escalation_note = ${note}, escalated_by = ${actingUserId(ctx) ?? actorName(ctx)},
        escalated_by_name = ${actorName(ctx)}, escalated_at = ${ctx.now()}, handed_to = ${handTo ?? null}
      where ${isThis(item)} and i.escalated_at is null`,
    )
    if (marked === 0) throw new DomainError('CHANGED')
    const after = { handedTo: handTo ?? null }
    await recordStep(ctx, { ...locked, ...item }, { act: 'escalated', event: 'didEscalate', text: note, after })
  })
}

/** Assigns an escalated item to another colleague, or to nobody in particular. Fails with CHANGED if it is not escalated. */
export function handOver(ctx: Ctx, { handTo, ...item }: HandOverInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const locked = await kindOf(item).lock(ctx, item)
    if (handTo !== null) await assertColleague(ctx, locked, handTo)
    const before = await queryOne<{ handedTo: string | null }>(
      ctx,
      sql`
      update review_item i set handed_to = ${handTo}
      from (select i.handed_to from review_item i where ${isThis(item)} and i.escalated_at is not null for update) old
      where ${isThis(item)} returning old.handed_to`,
    )
    if (before === undefined) throw new DomainError('CHANGED')
    const change = { before: { ...before }, after: { handedTo: handTo } }
    await recordStep(ctx, { ...locked, ...item }, { act: 'handedOver', event: 'didEscalate', ...change })
  })
}

/** Ends the escalation without a decision: the item returns to the normal queue. Fails with CHANGED if it is not escalated. */
export function deescalate(ctx: Ctx, item: PendingItem): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const locked = await kindOf(item).lock(ctx, item)
    const cleared = await execute(
      ctx,
      sql`
      update review_item i set escalation_note = null, escalated_by = null, escalated_by_name = null, escalated_at = null, handed_to = null
      where ${isThis(item)} and i.escalated_at is not null`,
    )
    if (cleared === 0) throw new DomainError('CHANGED')
    await recordStep(ctx, { ...locked, ...item }, { act: 'deescalated', event: 'didDeescalate' })
  })
}

/** Uses review_item_pkey. */
const isThis = ({ subjectType, subjectId, kind }: PendingItem): Sql => sql`
  i.subject_type = ${subjectType} and i.subject_id = ${subjectId} and i.kind = ${kindOf({ kind }).name} and i.state = 'waiting'`
