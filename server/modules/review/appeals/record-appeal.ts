import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'

/**
 * Stores the event that an appeal was made or decided, with ids and states alone, in the transaction of the change: while an endpoint names it. Returns nothing; at the
 * desk the lists are read again.
 */
export async function recordAppealEvent(
  ctx: Ctx,
  name: 'appeal.didCreate' | 'appeal.didResolve',
  appealId: string,
): Promise<void> {
  await execute(
    ctx,
    sql`
    insert into event (name, is_desk_only, subject_type, subject_id, community_id, payload, state, created_at, releases_at)
    select ${name}, false, 'statement', s.statement_id, s.community_id,
      jsonb_strip_nulls(jsonb_build_object('appealId', a.appeal_id, 'statementId', s.statement_id, 'userId', s.user_id, 'measure', s.measure, 'state', a.state,
        'communityId', s.community_id, 'channelId', s.channel_id)),
      'released', ${ctx.now()}, ${ctx.now()}
    from appeal a join statement s on s.statement_id = a.statement_id
    where a.appeal_id = ${appealId} and exists (select from webhook_endpoint w where w.removed_at is null and ${name} = any(w.events))`,
  )
}
