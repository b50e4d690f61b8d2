import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { isVisible } from '#server/modules/content/comments/visible.ts'

/** One comment, deleted or not. NOT_FOUND for one the caller may not see. */
export async function readComment(ctx: Ctx, { commentId }: { commentId: string }): Promise<CommentsEnvelope> {
  await findComment(ctx, commentId)
  return buildCommentsEnvelope(ctx, [commentId])
}

export async function findComment(ctx: Ctx, commentId: string): Promise<void> {
  const comment = await queryOne(
    ctx,
    Prisma.sql`
    select true as found from comment c left join community k on k.community_id = c.community_id
    where c.comment_id = ${commentId} and ${isVisible(ctx)}`,
  )
  if (comment === undefined) throw new DomainError('NOT_FOUND')
}
