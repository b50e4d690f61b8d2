import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { runSteps } from '#server/core/run-steps.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import { putItems } from '#server/modules/ledger/items/put-items.ts'
import { SEVERITY_MINUTES } from '#server/modules/rules/severity/schema.ts'

/** Few enough that their locks are held briefly. */
const BATCH_SIZE = 500

/** What is held and has no minutes yet, newest first. Uses comment_without_urgency and post_without_urgency. */
const MISSING: Record<'comment' | 'post', (batch: Batch) => Sql> = {
  comment: (batch) => sql`
    select c.comment_id as id from comment c
    where c.approval_status = 'pending' and not c.is_deleted and c.reach_minutes is null and ${batch.isTaken(sql`c.comment_id`)}
    order by c.queued_at desc, c.comment_id`,
  post: (batch) => sql`
    select p.post_id as id from post p
    where p.feed_type = 'reviewing' and not p.is_deleted and p.parent_post_id is null and p.reach_minutes is null
      and ${batch.isTaken(sql`p.post_id`)}
    order by p.queued_at desc, p.post_id`,
}

const STORE: Record<'comment' | 'post', (ids: string[]) => Sql> = {
  comment: (ids) => sql`
    update comment t set ${minutesOf('comment', sql`t.comment_id`)},
      reach_minutes = coalesce((
        select reach_urgency(p.reach) from post p where p.post_id = t.reference_id and t.reference_type = 'post'), 0)
    where t.comment_id = any(${ids}::text[])`,
  post: (ids) => sql`
    update post t set ${minutesOf('post', sql`t.post_id`)}, reach_minutes = coalesce(reach_urgency(t.reach), 0)
    where t.post_id = any(${ids}::text[])`,
}

/** By the target of now, and the rules that have fired since the item `t` was held. */
function minutesOf(subjectType: 'comment' | 'post', id: Sql): Sql {
  const severity = sql`${JSON.stringify(SEVERITY_MINUTES)}::jsonb ->> coalesce(v.action ->> 'severity', 'medium')`
  return sql`
    target_minutes = (select s.within_minutes from service_target s where s.community_id = t.community_id),
    signal_minutes = (
      select signal_urgency(max(s.score)) from signal s where s.subject_type = ${subjectType}::subject_type and s.subject_id = ${id}),
    rule_minutes = (
      select max((${severity})::smallint)
      from rule_match m join rule_version v on v.rule_id = m.rule_id and v.version = m.version and v.action ->> 'type' = 'hold'
      where m.subject_type = ${subjectType}::subject_type and m.subject_id = ${id} and m.is_live and m.created_at >= t.queued_at)`
}

/**
 * Writes what makes them urgent of one batch of items that were held by a version that didn't. They are locked first, so that scores which
 * come at the same time are not missed; what somebody else has locked is left to the next batch. True if more may be left.
 */
export async function writeUrgency(ctx: Ctx): Promise<boolean> {
  return runSteps(
    (['comment', 'post'] as const).map((type) => async () => (await writeBatch(ctx, type)) === BATCH_SIZE),
  )
}

const SET_ASIDE = { comment: createSetAside('urgency of comments'), post: createSetAside('urgency of posts') }

function writeBatch(ctx: Ctx, subjectType: 'comment' | 'post'): Promise<number> {
  return SET_ASIDE[subjectType].workBatch(ctx, (batch) =>
    inTransaction(ctx, async (ctx) => {
      const items = await query<{ id: string }>(
        ctx,
        sql`${MISSING[subjectType](batch)} ${sql.raw(`limit ${BATCH_SIZE}`)} for no key update skip locked`,
      )
      const ids = items.map(({ id }) => id)
      batch.take(ids)
      if (ids.length === 0) return
      await execute(ctx, STORE[subjectType](ids))
      await putItems(ctx, subjectType, ids)
    }),
  )
}
