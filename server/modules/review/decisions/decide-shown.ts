import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import type { PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { decideItem } from '#server/modules/review/decisions/decide-items.ts'
import type { Deciding, HeldOutcome } from '#server/modules/review/decisions/schema.ts'

type DecidingHeld = Omit<Deciding, 'outcome'> & { outcome: HeldOutcome }

/** Decides on a held comment as `decide` does, and returns the comment as the caller then sees it. */
export async function decideComment(
  ctx: Ctx,
  { commentId, ...deciding }: DecidingHeld & { commentId: string },
): Promise<CommentsEnvelope> {
  const input = { ...deciding, subjectType: 'comment', subjectId: commentId } as const
  const { seen } = await decideItem(ctx, input, { from: 'waiting', isShown: true })
  return seen ?? buildCommentsEnvelope(ctx, [commentId])
}

/** Decides on a held post as `decide` does, and returns the post as the caller then sees it. */
export function decidePost(
  ctx: Ctx,
  { postId, ...deciding }: DecidingHeld & { postId: string },
): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const input = { ...deciding, subjectType: 'post', subjectId: postId } as const
    await decideItem(ctx, input, { from: 'waiting' })
    return buildPostsEnvelope(ctx, [postId])
  })
}
