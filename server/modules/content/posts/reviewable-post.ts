import { sql } from '#server/core/db.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'

/** `post p`. */
export const reviewablePost: Reviewable = {
  type: 'post',
  table: sql`post`,
  alias: sql`p`,
  id: sql`p.post_id`,
  authorId: sql`p.posted_user_id`,
  communityId: sql`p.community_id`,
  isPublic: sql`(p.feed_type = 'published')`,
  review: 'reviewPosts',
  edit: { inCommunity: 'editPosts', elsewhere: 'EDIT_USER_FEED_POST' },
  delete: { inCommunity: 'deletePosts', elsewhere: 'DELETE_USER_FEED_POST' },
}
