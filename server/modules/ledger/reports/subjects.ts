import { sql } from '#server/core/db.ts'

/** What can be flagged, and where its row holds its space, its author, its visibility and its words. */
export const SUBJECTS = {
  comment: {
    table: sql`comment`,
    id: sql`comment_id`,
    space: sql`community_id, null::text as channel_id`,
    author: sql`user_id`,
    isSeen: sql`not is_deleted`,
    isWithdrawn: sql`withdrawn_at is not null`,
    words: sql`null::text as title, data ->> 'text' as text`,
    tally: 'reported_comments',
  },
  post: {
    table: sql`post`,
    id: sql`post_id`,
    space: sql`community_id, null::text as channel_id`,
    author: sql`posted_user_id`,
    isSeen: sql`not is_deleted and feed_type <> 'declined'`,
    isWithdrawn: sql`withdrawn_at is not null`,
    words: sql`data ->> 'title' as title, data ->> 'text' as text`,
    tally: 'reported_posts',
  },
  message: {
    table: sql`message`,
    id: sql`message_id`,
    space: sql`null::text as community_id, channel_id`,
    author: sql`user_id`,
    isSeen: sql`not is_deleted`,
    isWithdrawn: sql`withdrawn_at is not null`,
    words: sql`null::text as title, data ->> 'text' as text`,
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
    words: sql`display_name as title, description as text`,
    tally: 'reported_people',
  },
} as const

export type SubjectType = keyof typeof SUBJECTS
