import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockPending } from '#server/modules/review/decisions/lock-pending.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { requireColleague } from '#server/modules/review/escalations/colleagues.ts'
import { recordStep } from '#server/modules/review/escalations/record-step.ts'
import type { EscalateInput, HandOverInput } from '#server/modules/review/escalations/schema.ts'

/**
 * Moves a pending item to the escalated view, with a note and optionally assigned to one colleague. It stays pending: deciding
 * on it ends the escalation. Fails with NOT_FOUND and FORBIDDEN as deciding does, CHANGED if it is no longer pending or already
 * escalated, INVALID_PARAMETERS for a colleague who may not decide on it.
 */
export function escalate(ctx: Ctx, { note, handTo, ...subject }: EscalateInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const held = await lockPending(ctx, subject)
    if (handTo !== undefined) await requireColleague(ctx, held, handTo)
    const escalation = await queryOne<{ escalationId: string }>(
      ctx,
      sql`
      insert into escalation (subject_type, subject_id, community_id, note, escalated_by, escalated_by_name, handed_to, escalated_at)
      values (${held.subjectType}::subject_type, ${held.subjectId}, ${held.communityId}, ${note}, ${actingUserId(ctx) ?? actorName(ctx)},
        ${actorName(ctx)}, ${handTo ?? null}, ${ctx.now()})
      on conflict do nothing returning escalation_id::text as escalation_id`,
    )
    if (escalation === undefined) throw new DomainError('CHANGED')
    await recordStep(ctx, held, {
      act: 'escalated',
      event: 'didEscalate',
      text: note,
      after: { handedTo: handTo ?? null },
    })
  })
}

/** Assigns an escalated item to another colleague, or to nobody in particular. Fails with CHANGED if it is not escalated. */
export function handOver(ctx: Ctx, { handTo, ...subject }: HandOverInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const held = await lockPending(ctx, subject)
    if (handTo !== null) await requireColleague(ctx, held, handTo)
    const before = await queryOne<{ handedTo: string | null }>(
      ctx,
      sql`
      update escalation e set handed_to = ${handTo}
      from (select escalation_id, handed_to from escalation where ${isOpenOn(subject)} for update) old
      where e.escalation_id = old.escalation_id returning old.handed_to`,
    )
    if (before === undefined) throw new DomainError('CHANGED')
    await recordStep(ctx, held, {
      act: 'handedOver',
      event: 'didEscalate',
      before: { ...before },
      after: { handedTo: handTo },
    })
  })
}

/** Returns an escalated item to the normal queue. Fails with CHANGED if it is not escalated. */
export function deescalate(ctx: Ctx, subject: Subject): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const held = await lockPending(ctx, subject)
    const closed = await query(
      ctx,
      sql`
      update escalation set closed_at = ${ctx.now()}, closed_by = ${actingUserId(ctx) ?? actorName(ctx)}
      where ${isOpenOn(subject)} returning escalation_id`,
    )
    if (closed.length === 0) throw new DomainError('CHANGED')
    await recordStep(ctx, held, { act: 'deescalated', event: 'didDeescalate' })
  })
}

/** Uses escalation_open. */
function isOpenOn({ subjectType, subjectId }: Subject) {
  return sql`subject_type = ${subjectType}::subject_type and subject_id = ${subjectId} and closed_at is null`
}
