import { Prisma } from '#server/core/db.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'

/** `comment c`. */
export const reviewableComment: Reviewable = {
  type: 'comment',
  table: Prisma.sql`comment`,
  alias: Prisma.sql`c`,
  id: Prisma.sql`c.comment_id`,
  authorId: Prisma.sql`c.user_id`,
  communityId: Prisma.sql`c.community_id`,
  isPublic: Prisma.sql`(c.approval_status is null or c.approval_status = 'approved')`,
  review: 'reviewComments',
  edit: { inCommunity: 'editComments', elsewhere: 'EDIT_USER_FEED_COMMENT' },
  delete: { inCommunity: 'deleteComments', elsewhere: 'DELETE_USER_FEED_COMMENT' },
}
