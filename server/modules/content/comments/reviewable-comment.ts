import { sql } from '#server/core/db.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'

/** `comment c`. */
export const reviewableComment: Reviewable = {
  type: 'comment',
  table: sql`comment`,
  alias: sql`c`,
  id: sql`c.comment_id`,
  authorId: sql`c.user_id`,
  communityId: sql`c.community_id`,
  isPublic: sql`(c.approval_status is null or c.approval_status = 'approved')`,
  review: 'reviewComments',
  edit: { inCommunity: 'editComments', elsewhere: 'EDIT_USER_FEED_COMMENT' },
  delete: { inCommunity: 'deleteComments', elsewhere: 'DELETE_USER_FEED_COMMENT' },
}
