import { afterEach, expect, TestRunner } from 'vitest'
import type { Database } from '#server/core/database/open-database.ts'

/**
 * The oracle of `review_item`: after each test of the file, its items must be what comments, posts and reports say. Read without any of the
 * program's own statements.
 */
export function expectRightItems(database: Database): void {
  if (TestRunner.getCurrentTest() !== undefined) return
  afterEach(async () => {
    const { rows } = await database.pool.query(WRONG_ITEMS)
    expect(rows, 'items that differ from what they are about').toEqual([])
  })
}

const HELD_COMMENTS = `
  select 'held' as kind, 'comment' as subject_type, comment_id as subject_id, community_id, user_id as author_id,
    case when reference_type = 'post' then reference_id end as post_id,
    case when approval_status <> 'pending' then approval_status::text when is_deleted then 'withdrawn' else 'waiting' end as state,
    version, null as title, case when jsonb_typeof(data -> 'text') = 'string' then data ->> 'text' end as text, data_types,
    parent_id is not null as is_reply, created_at as written_at, queued_at as placed_at, flag_count
  from comment where approval_status is not null`

const HELD_POSTS = `
  select 'held', 'post', post_id, community_id, posted_user_id, null,
    case when feed_type = 'published' then 'approved' when feed_type = 'declined' then 'rejected' when is_deleted then 'withdrawn' else 'waiting' end,
    version, case when jsonb_typeof(data -> 'title') = 'string' then data ->> 'title' end,
    case when jsonb_typeof(data -> 'text') = 'string' then data ->> 'text' end,
    array(select distinct data_type from post child where child.parent_post_id = post.post_id and data_type is not null) || coalesce(data_type, 'text'),
    false, created_at, queued_at, flag_count
  from post where parent_post_id is null and (feed_type <> 'published' or queued_at is not null)`

const WRONG_ITEMS = `
  with expected as (${HELD_COMMENTS} union all ${HELD_POSTS}),
  actual as (
    select kind, subject_type, subject_id, community_id, author_id, post_id, state, version, title, text, data_types, is_reply, written_at, placed_at,
      flag_count
    from review_item where kind = 'held')
  (select 'missing' as problem, * from expected except all select 'missing', * from actual)
  union all
  (select 'surplus', * from actual except all select 'surplus', * from expected)
  limit 20`
