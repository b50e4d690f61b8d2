import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { isNamedByEndpoint, optionalEventTables } from '#server/modules/ledger/events/record-event.ts'

/** Stores the event that an appeal was made or decided, with ids and states alone, in the transaction of the change: while an endpoint names it. */
export async function recordAppealEvent(
  ctx: Ctx,
  name: 'appeal.didCreate' | 'appeal.didResolve',
  { appealId, statementId, communityId }: { appealId: string; statementId: string; communityId: string | null },
): Promise<void> {
  const payload = sql`(
    select jsonb_strip_nulls(jsonb_build_object('appealId', a.appeal_id, 'statementId', s.statement_id, 'userId', s.user_id, 'measure', s.measure, 'state', a.state,
      'communityId', s.community_id, 'channelId', s.channel_id))
    from appeal a join statement s on s.statement_id = a.statement_id where a.appeal_id = ${appealId})`
  const subject = { subjectType: 'statement', subjectId: statementId, communityId }
  await execute(
    ctx,
    sql`with ${optionalEventTables(ctx, { ...subject, name, payload, isWanted: isNamedByEndpoint(name) })} select`,
  )
}
