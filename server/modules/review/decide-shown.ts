import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { answerComments } from '#server/modules/comments/answer-comments.ts'
import type { CommentsEnvelope } from '#server/modules/comments/schema.ts'
import { answerPosts } from '#server/modules/posts/answer-posts.ts'
import type { PostsEnvelope } from '#server/modules/posts/schema.ts'
import { commentKind } from '#server/modules/review/kinds/comment.ts'
import { postKind } from '#server/modules/review/kinds/post.ts'
import type { Deciding, HeldOutcome } from '#server/modules/review/schema.ts'
import { settleAs } from '#server/modules/review/settle.ts'

type DecidingHeld = Omit<Deciding, 'outcome'> & { outcome: HeldOutcome }

/** Decides on a held comment as `decide` does, and gives the comment as the caller sees it then. */
export function decideComment(
  ctx: Ctx,
  { commentId, ...deciding }: DecidingHeld & { commentId: string },
): Promise<CommentsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const input = { ...deciding, subjectType: 'comment', subjectId: commentId } as const
    const { readSeen } = await settleAs(ctx, commentKind, input, 'waiting')
    return readSeen ? readSeen() : answerComments(ctx, [commentId])
  })
}

/** Decides on a held post as `decide` does, and gives the post as the caller sees it then. */
export function decidePost(
  ctx: Ctx,
  { postId, ...deciding }: DecidingHeld & { postId: string },
): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const input = { ...deciding, subjectType: 'post', subjectId: postId } as const
    const { readSeen } = await settleAs(ctx, postKind, input, 'waiting')
    return readSeen ? readSeen() : answerPosts(ctx, [postId])
  })
}
