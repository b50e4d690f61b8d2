import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { createSetAside } from '#server/core/set-aside.ts'
import { isNamedByEndpoint } from '#server/modules/ledger/events/record-event.ts'

const STATEMENTS_PER_BATCH = 500
const setAside = createSetAside('statements')

/**
 * Issues statements whose decisions can't be undone any more: from then on their recipients may read them, and endpoints that name the event receive
 * it, with ids alone. Returns whether there may be more. Of two workers one issues each. Uses statement_to_issue and event_pkey.
 */
export async function issueStatements(ctx: Ctx): Promise<boolean> {
  const found = await setAside.workBatch(ctx, (batch) =>
    inTransaction(ctx, async (ctx) => {
      const due = await query<{ statementId: string }>(
        ctx,
        sql`
        select s.statement_id from statement s left join event e on e.event_id = s.event_id
        where s.issued_at is null and s.voided_at is null and coalesce(e.state, 'released') = 'released' and ${batch.isTaken(sql`s.statement_id`)}
        order by s.created_at ${sql.raw(`limit ${STATEMENTS_PER_BATCH}`)} for update of s skip locked`,
      )
      const ids = due.map(({ statementId }) => statementId)
      batch.take(ids)
      if (ids.length > 0) await issue(ctx, ids)
    }),
  )
  return found === STATEMENTS_PER_BATCH
}

async function issue(ctx: Ctx, ids: string[]): Promise<void> {
  await execute(
    ctx,
    sql`
    with issued as (
      update statement set issued_at = ${ctx.now()} where statement_id = any(${ids}) returning *)
    insert into event (name, is_desk_only, subject_type, subject_id, community_id, payload, state, created_at, releases_at)
    select 'statement.didCreate', false, 'statement', statement_id, community_id,
      jsonb_strip_nulls(jsonb_build_object('statementId', statement_id, 'userId', user_id, 'measure', measure, 'communityId', community_id,
        'channelId', channel_id, 'subjectType', subject_type, 'subjectId', subject_id)),
      'released', ${ctx.now()}, ${ctx.now()}
    from issued
    where ${isNamedByEndpoint('statement.didCreate')}
    order by created_at`,
  )
}
