import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds, mayInCommunity } from '#server/core/permissions.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import { isOwn, isVisible, mayReview } from '#server/modules/content/comments/visible.ts'

/** A locked comment, and what the caller may do with it. */
export interface LockedComment {
  commentId: string
  communityId: string | null
  parentId: string | null
  referenceType: NonNullable<Comment['referenceType']> | null
  referenceId: string | null
  version: number
  approvalStatus: 'pending' | 'approved' | 'rejected' | null
  isDeleted: boolean
  flagCount: number
  data: Record<string, unknown> | null
  attachments: Comment['attachments'] | null
  isOwn: boolean
  mayReview: boolean
  mayEdit: boolean
  mayDelete: boolean
  /** Whether the caller is banned from its community. */
  isBanned: boolean
}

/** Reads and locks inside the caller's scope: NOT_FOUND for a comment the caller may not see. */
export async function lockForChange(ctx: Ctx, commentId: string): Promise<LockedComment> {
  const inCommunity = Prisma.sql`c.community_id`
  const mayEdit = Prisma.sql`(${mayInCommunity(ctx, 'editComments', inCommunity)}
    or c.community_id is null and ${holds(ctx, 'EDIT_USER_FEED_COMMENT')})`
  const mayDelete = Prisma.sql`(${mayInCommunity(ctx, 'deleteComments', inCommunity)}
    or c.community_id is null and ${holds(ctx, 'DELETE_USER_FEED_COMMENT')})`
  const comment = await queryOne<LockedComment>(
    ctx,
    Prisma.sql`
    select c.comment_id as "commentId", c.community_id as "communityId", c.parent_id as "parentId", c.reference_type as "referenceType",
      c.reference_id as "referenceId", c.version, c.approval_status as "approvalStatus", c.is_deleted as "isDeleted", c.flag_count as "flagCount", c.data,
      c.attachments, ${isOwn(ctx)} as "isOwn", ${mayReview(ctx)} as "mayReview", ${mayEdit} as "mayEdit", ${mayDelete} as "mayDelete",
      exists (
        select from community_user mine
        where mine.community_id = c.community_id and ${isOwn(ctx)} and mine.user_id = c.user_id and mine.membership = 'banned') as "isBanned"
    from comment c left join community k on k.community_id = c.community_id
    where c.comment_id = ${commentId} and ${isVisible(ctx)}
    for update of c`,
  )
  if (comment === undefined) throw new DomainError('NOT_FOUND')
  return comment
}
