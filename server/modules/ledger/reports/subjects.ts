import { type Sql, sql } from '#server/core/db.ts'

/** What can be flagged, and where its row `s` holds its space, its author, its visibility and what an item of it keeps. */
export const SUBJECTS = {
  comment: {
    table: sql`comment`,
    id: sql`comment_id`,
    space: sql`community_id, null::text as channel_id`,
    author: sql`user_id`,
    isSeen: sql`not is_deleted`,
    isWithdrawn: sql`withdrawn_at is not null`,
    // A rejection deletes a comment too.
    isRemoved: sql`is_deleted and approval_status is distinct from 'rejected'`,
    words: sql`null::text as title, data ->> 'text' as text`,
    about: sql`case reference_type when 'post' then reference_id end as post_id, data_types, parent_id is not null as is_reply`,
    tally: 'reported_comments',
  },
  post: {
    table: sql`post`,
    id: sql`post_id`,
    space: sql`community_id, null::text as channel_id`,
    author: sql`posted_user_id`,
    isSeen: sql`not is_deleted and feed_type <> 'declined'`,
    isWithdrawn: sql`withdrawn_at is not null`,
    isRemoved: sql`is_deleted`,
    words: sql`data ->> 'title' as title, data ->> 'text' as text`,
    about: aboutPost(sql`post`),
    tally: 'reported_posts',
  },
  message: {
    table: sql`message`,
    id: sql`message_id`,
    space: sql`null::text as community_id, channel_id`,
    author: sql`user_id`,
    isSeen: sql`not is_deleted`,
    isWithdrawn: sql`withdrawn_at is not null`,
    isRemoved: sql`is_deleted`,
    words: sql`null::text as title, data ->> 'text' as text`,
    about: sql`null::text as post_id, array[type] as data_types, parent_id is not null as is_reply`,
    tally: 'reported_messages',
  },
  user: {
    table: sql`network_user`,
    id: sql`user_id`,
    space: sql`null::text as community_id, null::text as channel_id`,
    author: sql`user_id`,
    // A person who is banned everywhere is dealt with.
    isSeen: sql`not is_deleted and not is_global_ban`,
    isWithdrawn: sql`false`,
    isRemoved: sql`is_deleted`,
    words: sql`display_name as title, description as text`,
    about: sql`null::text as post_id, '{}'::text[] as data_types, false as is_reply`,
    tally: 'reported_people',
  },
} as const

export type SubjectType = keyof typeof SUBJECTS

/** What an item keeps of a post: its types with those of its attachments, which are among these posts. */
export function aboutPost(posts: Sql): Sql {
  return sql`null::text as post_id, array(
    select distinct child.data_type from ${posts} child where child.parent_post_id = s.post_id and child.data_type is not null)
    || coalesce(data_type, 'text') as data_types, false as is_reply`
}
