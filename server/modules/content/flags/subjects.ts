import { Prisma } from '#server/core/db.ts'

/** What can be flagged, and where its row holds its space, its author and its visibility. */
export const SUBJECTS = {
  comment: {
    table: Prisma.sql`comment`,
    id: Prisma.sql`comment_id`,
    space: Prisma.sql`community_id, null::text as channel_id`,
    author: Prisma.sql`user_id`,
    isSeen: Prisma.sql`not is_deleted`,
    tally: 'reported_comments',
  },
  post: {
    table: Prisma.sql`post`,
    id: Prisma.sql`post_id`,
    space: Prisma.sql`community_id, null::text as channel_id`,
    author: Prisma.sql`posted_user_id`,
    isSeen: Prisma.sql`not is_deleted and feed_type <> 'declined'`,
    tally: 'reported_posts',
  },
  message: {
    table: Prisma.sql`message`,
    id: Prisma.sql`message_id`,
    space: Prisma.sql`null::text as community_id, channel_id`,
    author: Prisma.sql`user_id`,
    isSeen: Prisma.sql`not is_deleted`,
    tally: 'reported_messages',
  },
  user: {
    table: Prisma.sql`network_user`,
    id: Prisma.sql`user_id`,
    space: Prisma.sql`null::text as community_id, null::text as channel_id`,
    author: Prisma.sql`user_id`,
    isSeen: Prisma.sql`not is_deleted`,
    tally: 'reported_people',
  },
} as const

export type SubjectType = keyof typeof SUBJECTS
