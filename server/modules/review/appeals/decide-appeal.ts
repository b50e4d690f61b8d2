import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { endStated, type StatedMeasure } from '#server/modules/review/appeals/end-stated.ts'
import { CAN_SOMEBODY_ELSE, decidedFirst, mayDecideAppeal } from '#server/modules/review/appeals/may-decide-appeal.ts'
import { recordAppealEvent } from '#server/modules/review/appeals/record-appeal.ts'
import type { DecideAppealInput, DecidedAppeal } from '#server/modules/review/appeals/schema.ts'

interface LockedAppeal extends StatedMeasure {
  state: 'waiting' | DecidedAppeal['state']
  isFirst: boolean
  canSomebodyElse: boolean
}

/**
 * Decides on an appeal, for good, and answers its author. A reversal ends what was stated in the same transaction: content is public again, the ban or mute in
 * force is lifted, and strikes no longer count. Fails with NOT_FOUND for what the caller may not decide on, FORBIDDEN where the first decision was theirs and somebody else
 * could decide, CHANGED if it is decided.
 */
export function decideAppeal(ctx: Ctx, { appealId, outcome, answer }: DecideAppealInput): Promise<DecidedAppeal> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockAppeal(ctx, appealId)
    if (found.state !== 'waiting') throw new DomainError('CHANGED')
    if (found.isFirst && found.canSomebodyElse) throw new DomainError('FORBIDDEN')

    const isRestored = outcome === 'reversed' && (await endStated(ctx, found))
    if (outcome === 'reversed') await endStatement(ctx, found.statementId)
    await execute(
      ctx,
      sql`
      update appeal set state = ${outcome}, answer = ${answer}, decided_by = ${actingUserId(ctx) ?? actorName(ctx)}, decided_at = ${ctx.now()},
        is_alone = ${found.isFirst}
      where appeal_id = ${appealId}`,
    )
    const { userId, statementId, communityId, channelId } = found
    await recordAudit(ctx, {
      subjectType: 'user',
      subjectId: userId,
      action: outcome === 'kept' ? 'user.appealKept' : 'user.appealReversed',
      communityId,
      channelId,
      before: { appeal: 'waiting' },
      after: { appeal: outcome, appealId, statementId, isRestored, ...(found.isFirst && { wasOwnDecision: true }) },
      text: answer,
    })
    await recordAppealEvent(ctx, 'appeal.didResolve', { appealId, statementId, communityId })
    return { appealId, state: outcome, isRestored }
  })
}

/** The appeal's row is the lock of all that decide on it. */
async function lockAppeal(ctx: Ctx, appealId: string): Promise<LockedAppeal> {
  const found = await queryOne<LockedAppeal>(
    ctx,
    sql`
    select appeal.state, s.statement_id, s.user_id, s.measure, s.subject_type::text as subject_type, s.subject_id, s.community_id, s.channel_id,
      s.ban_id::text as ban_id, s.mute_id::text as mute_id, ${decidedFirst(ctx)} as is_first,
      case when ${decidedFirst(ctx)} then ${CAN_SOMEBODY_ELSE} else true end as can_somebody_else
    from appeal join statement s on s.statement_id = appeal.statement_id
    where appeal.appeal_id = ${appealId} and ${mayDecideAppeal(ctx)} for update of appeal`,
  )
  if (found === undefined) throw new DomainError('NOT_FOUND')
  return found
}

/** What was restored says so by itself; a warning, and what ended or was erased before, has nothing that could. */
async function endStatement(ctx: Ctx, statementId: string): Promise<void> {
  await execute(
    ctx,
    sql`update statement set reversed_at = ${ctx.now()} where statement_id = ${statementId} and reversed_at is null`,
  )
}
