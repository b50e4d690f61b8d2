import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import { type LockedContent, lockContent } from '#server/modules/content/reviewable/lock-content.ts'

export interface LockedPost extends LockedContent {
  parentPostId: string | null
  targetType: 'community' | 'user' | 'content'
  targetId: string | null
  postedUserId: string
  feedId: string | null
  feedType: 'reviewing' | 'published' | 'declined'
  data: Record<string, unknown> | null
  mentionees: Comment['mentionees'] | null
  /** Its own, and those of its attachments. */
  dataTypes: string[]
}

/** Reads and locks inside the caller's scope: NOT_FOUND for a post the caller may not see. */
export function lockPost(ctx: Ctx, postId: string): Promise<LockedPost> {
  const columns = sql`
    p.parent_post_id, p.target_type, p.target_id,
    p.posted_user_id, p.feed_id, p.feed_type,
    p.data, p.mentionees, coalesce(p.data_type, 'text') || array(
      select coalesce(child.data_type, 'text') from post child where child.parent_post_id = p.post_id and not child.is_deleted) as data_types`
  return lockContent<LockedPost>(ctx, reviewablePost, postId, columns)
}
