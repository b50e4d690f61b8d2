import type { Ctx } from '#server/core/ctx.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { assertContentVisible } from '#server/modules/content/reviewable/reviewable.ts'

/** One comment, deleted or not. NOT_FOUND for one the caller may not see. */
export async function readComment(ctx: Ctx, { commentId }: { commentId: string }): Promise<CommentsEnvelope> {
  await assertContentVisible(ctx, reviewableComment, commentId)
  return buildCommentsEnvelope(ctx, [commentId])
}
