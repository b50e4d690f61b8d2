import { afterAll, afterEach, expect, TestRunner } from 'vitest'
import type { Database } from '#server/core/database/open-database.ts'

/** Of files with many tests, most come from a table. */
const FIRST_TESTS = 20
const TESTS_A_CHECK = 10

/** The oracle of `review_item`, which reads everything: after each of the first twenty tests of a file, after every tenth beyond, and at the end. */
export function expectRightItems(database: Database): void {
  if (TestRunner.getCurrentTest() !== undefined) return
  const check = async () => {
    expect(await wrongItems(database), 'items that differ from what they are about').toEqual([])
  }
  let tests = 0
  afterEach(async () => {
    tests += 1
    if (tests <= FIRST_TESTS || tests % TESTS_A_CHECK === 0) await check()
  })
  afterAll(check)
}

/**
 * The items that aren't what comments, posts and flags say, some of them. Read without any of the program's own statements. Named, so that each connection
 * plans them once, not after every test.
 */
export async function wrongItems({ pool }: Database): Promise<object[]> {
  const { rows: held } = await pool.query({ name: 'wrong items', text: WRONG_ITEMS })
  const { rows: reported } = await pool.query({ name: 'wrong reports', text: WRONG_REPORTS })
  const { rows: counted } = await pool.query({ name: 'wrong counts', text: WRONG_COUNTS })
  return [...held, ...reported, ...counted]
}

const HELD_COMMENTS = `
  select 'held' as kind, 'comment' as subject_type, comment_id as subject_id, community_id, user_id as author_id,
    case when reference_type = 'post' then reference_id end as post_id,
    case when approval_status <> 'pending' then approval_status::text when is_deleted then 'withdrawn'
      when reference_type = 'post' and exists (
        select from post where post_id = reference_id and (post.is_deleted or feed_type = 'declined')) then 'orphaned'
      -- The post was erased since,
      when reference_type = 'post' and not exists (select from post where post_id = reference_id) and exists (
        select from audit where audit.subject_type = 'post' and audit.subject_id = reference_id and action in ('post.erased', 'post.removed')) then 'orphaned'
      -- or this was imported without it, or a test itself deleted it.
      when reference_type = 'post' and not exists (select from post where post_id = reference_id) then (
        select state from review_item where subject_type = 'comment' and subject_id = comment_id and kind = 'held' and state in ('waiting', 'orphaned'))
      else 'waiting' end as state,
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

/** How many are pending in each community, as counted and as they are. */
const WRONG_COUNTS = `
  with counted as (
    select kind::text as counted, subject_id as community_id, sum(delta) as count
    from (select kind, subject_id, delta from tally_delta union all select kind, subject_id, total from tally) parts
    where kind in ('held_comments', 'held_posts') group by 1, 2 having sum(delta) <> 0),
  pending as (
    select 'held_' || subject_type || 's' as counted, community_id, count(*) as count
    from review_item where kind = 'held' and state = 'waiting' and community_id is not null group by 1, 2)
  select 'counted otherwise' as problem, counted, community_id, counted.count::int, pending.count::int as pending
  from counted full join pending using (counted, community_id)
  where counted.count is distinct from pending.count
  limit 20`

/** What can be reported, by what its report depends on. */
const REPORTABLE = `
  select 'comment' as subject_type, comment_id as subject_id, community_id, null as channel_id, user_id as author_id,
    case when reference_type = 'post' then reference_id end as post_id, parent_id is not null as is_reply, created_at as written_at,
    flag_count, not is_deleted as is_seen, withdrawn_at is not null as is_withdrawn
  from comment
  union all
  select 'post', post_id, community_id, null, posted_user_id, null, false, created_at, flag_count, not is_deleted and feed_type <> 'declined',
    withdrawn_at is not null
  from post
  union all
  select 'message', message_id, null, channel_id, user_id, null, parent_id is not null, created_at, flag_count, not is_deleted,
    withdrawn_at is not null
  from message
  union all
  select 'user', user_id, null, null, user_id, null, false, created_at, flag_count, not is_deleted and not is_global_ban, false
  from network_user`

/**
 * A report waits exactly if its subject has flags and is seen, or was withdrawn by its author while the report waited: of these it can't be
 * derived which waited. What an edit, a decision or an erasure leaves of its text can't be derived either, but that nothing is left of what is gone.
 */
const WRONG_REPORTS = `
  select * from (
    select subject_type, subject_id, case
      when i.kind is null then case when s.flag_count > 0 and s.is_seen then 'missing' end
      when s.author_id is null then case
        when i.state = 'waiting' then 'waits without its subject'
        when i.title is not null or i.text is not null then 'keeps the text of what is gone' end
      when i.state = 'waiting' and s.flag_count = 0 then 'waits without flags'
      when i.state = 'waiting' and not s.is_seen and not s.is_withdrawn then 'waits for what nobody sees'
      when i.state <> 'waiting' and s.flag_count > 0 and s.is_seen then 'does not wait'
      when i.state = 'waiting' and i.flag_count <> s.flag_count then 'has other flags'
      when i.state = 'deleted' and s.is_seen then 'deleted, but seen'
      when (i.closed_at is null) <> (i.state = 'waiting') then 'closed, but waits'
      when (i.community_id, i.channel_id, i.author_id, i.post_id, i.is_reply, i.written_at)
        is distinct from (s.community_id, s.channel_id, s.author_id, s.post_id, s.is_reply, s.written_at) then 'of another place or author'
    end as problem
    from (${REPORTABLE}) s
    full join (select * from review_item where kind = 'reported') i using (subject_type, subject_id)) report
  where problem is not null
  limit 20`
