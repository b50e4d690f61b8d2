import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { isVisible, mayReview } from '#server/modules/comments/visible.ts'

export interface HeldComment {
  commentId: string
  communityId: string
  /** Who wrote it. */
  userId: string
  version: number
  parentId: string | null
  referenceType: string | null
  referenceId: string | null
  mayReview: boolean
}

/** Reads and locks inside the caller's scope: what the caller may not know of does not exist. */
export async function lockComment(ctx: Ctx, commentId: string): Promise<HeldComment> {
  const held = await queryOne<HeldComment>(
    ctx,
    Prisma.sql`
    select c.comment_id as "commentId", c.community_id as "communityId", c.user_id as "userId", c.version, c.parent_id as "parentId",
      c.reference_type as "referenceType", c.reference_id as "referenceId", ${mayReview(ctx)} as "mayReview"
    from comment c join community k on k.community_id = c.community_id
    where c.comment_id = ${commentId} and ${isVisible(ctx)}
    for update of c`,
  )
  if (held === undefined) throw new DomainError('NOT_FOUND')
  return held
}
