import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import { type LockedContent, lockContent } from '#server/modules/content/reviewable/lock-content.ts'

export interface LockedPost extends LockedContent {
  parentPostId: string | null
  targetType: 'community' | 'user' | 'content'
  targetId: string | null
  postedUserId: string
  feedId: string | null
  feedType: 'reviewing' | 'published' | 'declined'
}

/** Reads and locks inside the caller's scope: NOT_FOUND for a post the caller may not see. */
export function lockPost(ctx: Ctx, postId: string): Promise<LockedPost> {
  const columns = sql`
    p.parent_post_id as "parentPostId", p.target_type as "targetType", p.target_id as "targetId",
    p.posted_user_id as "postedUserId", p.feed_id as "feedId", p.feed_type as "feedType"`
  return lockContent<LockedPost>(ctx, reviewablePost, postId, columns)
}
