import { Prisma } from '#server/core/db.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'

/** `post p`. */
export const reviewablePost: Reviewable = {
  type: 'post',
  table: Prisma.sql`post`,
  alias: Prisma.sql`p`,
  id: Prisma.sql`p.post_id`,
  authorId: Prisma.sql`p.posted_user_id`,
  communityId: Prisma.sql`p.community_id`,
  isPublic: Prisma.sql`(p.feed_type = 'published')`,
  review: 'reviewPosts',
  edit: { inCommunity: 'editPosts', elsewhere: 'EDIT_USER_FEED_POST' },
  delete: { inCommunity: 'deletePosts', elsewhere: 'DELETE_USER_FEED_POST' },
}
