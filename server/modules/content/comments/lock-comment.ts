import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import { type LockedContent, lockContent } from '#server/modules/content/reviewable/lock-content.ts'

export interface LockedComment extends LockedContent {
  parentId: string | null
  /** The post it is on. */
  postId: string | null
  approvalStatus: 'pending' | 'approved' | 'rejected' | null
  data: Record<string, unknown> | null
  mentionees: Comment['mentionees'] | null
  attachments: Comment['attachments'] | null
}

/** Reads and locks inside the caller's scope: NOT_FOUND for a comment the caller may not see. */
export function lockComment(ctx: Ctx, commentId: string): Promise<LockedComment> {
  const columns = sql`
    c.parent_id, case when c.reference_type = 'post' then c.reference_id end as post_id,
    c.approval_status, c.data, c.mentionees, c.attachments`
  return lockContent<LockedComment>(ctx, reviewableComment, commentId, columns)
}
