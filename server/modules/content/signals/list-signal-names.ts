import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { IS_HELD, isOfType } from '#server/modules/content/items/held.ts'
import type { RuleSpace } from '#server/modules/rules/registry/schema.ts'
import { assertMayManageRules } from '#server/modules/rules/registry/scope.ts'

const NAMES = 50

/**
 * The names of the signals that the latest content of a community has, or of the network, the most frequent first: for who writes a rule there.
 * Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN where they may not manage rules. Uses signal_pkey for a limited number of
 * items.
 */
export async function listSignalNames(ctx: Ctx, space: RuleSpace): Promise<string[]> {
  await assertMayManageRules(ctx, space)
  const rows = await query<{ name: string }>(
    ctx,
    sql`
    with latest as materialized (${space.communityId === null ? latestAnywhere() : latestIn(space.communityId)})
    select s.name from (select distinct subject_type, subject_id from latest) item join signal s using (subject_type, subject_id)
    group by s.name order by count(*) desc, s.name ${sql.raw(`limit ${NAMES}`)}`,
  )
  return rows.map(({ name }) => name)
}

const UP_TO = {
  posts: sql.raw('limit 300'),
  postsWithComments: sql.raw('limit 60'),
  commentsOfAPost: sql.raw('limit 10'),
  held: sql.raw('limit 300'),
  decided: sql.raw('limit 600'),
  events: sql.raw('limit 1500'),
}

/** Uses post_in_community, comment_on_reference, review_item_in_community and decision_on_held. */
function latestIn(communityId: string): Sql {
  const posts = sql`from post where community_id = ${communityId} order by created_at desc, post_id`
  return sql`
    (select 'post'::subject_type as subject_type, post_id as subject_id ${posts} ${UP_TO.posts})
    union all (
      select 'comment', c.comment_id from (select post_id ${posts} ${UP_TO.postsWithComments}) p
      cross join lateral (
        select comment_id from comment where reference_id = p.post_id order by created_at desc, comment_id ${UP_TO.commentsOfAPost}) c)
    union all (
      select 'comment', i.subject_id from review_item i
      where i.community_id = ${communityId} and ${isOfType('comment')} and ${IS_HELD}
      order by i.placed_at desc, i.subject_id ${UP_TO.held})
    union all (
      select subject_type, subject_id from decision
      where community_id = ${communityId} and held_at is not null and undone_at is null
      order by decided_at desc ${UP_TO.decided})`
}

/** Uses the primary keys of the event and decision tables. */
function latestAnywhere(): Sql {
  return sql`
    select subject_type::subject_type as subject_type, subject_id from (
      select subject_type, subject_id from event order by event_id desc ${UP_TO.events}) e
    where subject_type in ('comment', 'post')
    union all (select subject_type, subject_id from decision order by decision_id desc ${UP_TO.decided})`
}
