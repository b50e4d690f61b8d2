import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { readVisibleComment } from '#server/modules/content/comments/build-comments-envelope.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'

/** One comment, deleted or not. NOT_FOUND for one the caller may not see. */
export async function readComment(ctx: Ctx, { commentId }: { commentId: string }): Promise<CommentsEnvelope> {
  const envelope = await readVisibleComment(ctx, commentId)
  if (envelope.comments.length > 0) return envelope
  throw new DomainError('NOT_FOUND')
}
