import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import type { ChangedFacts, Outcome } from '#server/modules/review/schema.ts'

export interface HeldComment {
  commentId: string
  communityId: string
  /** Who wrote it. */
  userId: string
  version: number
  mayReview: boolean
}

/**
 * Reads and locks inside the caller's scope: what the caller may not know of does not exist. A comment that waits or was
 * rejected is known to its author and to reviewers only; one that everyone sees, to members and, in a public community, to all.
 */
export async function lockComment(ctx: Ctx, commentId: string): Promise<HeldComment> {
  const userId = actingUserId(ctx) ?? null
  const mayReview = mayInCommunity(ctx, 'reviewComments', Prisma.sql`c.community_id`)
  const held = await queryOne<HeldComment>(
    ctx,
    Prisma.sql`
    select c.comment_id as "commentId", c.community_id as "communityId", c.user_id as "userId", c.version, ${mayReview} as "mayReview"
    from comment c join community k on k.community_id = c.community_id
    where c.comment_id = ${commentId}
      and (${mayReview} or c.user_id = ${userId} or (
        c.approval_status is distinct from 'pending' and c.approval_status is distinct from 'rejected'
        and (k.is_public or exists (
          select from community_user mine
          where mine.community_id = c.community_id and mine.user_id = ${userId} and mine.membership = 'member'))))
    for update of c`,
  )
  if (held === undefined) throw new DomainError('NOT_FOUND')
  return held
}

/** Ends with CHANGED, telling a reviewer who decided what and when; the author's later edit has a version only. */
export async function refuseAsChanged(ctx: Ctx, held: HeldComment): Promise<never> {
  const latest = await queryOne<{
    decision: Outcome
    decidedBy: string | null
    decidedByName: string
    decidedAt: Date
  }>(
    ctx,
    Prisma.sql`
    select d.outcome as decision, d.decided_by as "decidedBy", d.decided_by_name as "decidedByName", d.decided_at as "decidedAt"
    from decision d
    where d.subject_type = 'comment' and d.subject_id = ${held.commentId} and d.undone_at is null
    order by d.decided_at desc, d.decision_id desc limit 1`,
  )
  const facts: ChangedFacts = {
    version: held.version,
    ...(latest && {
      decision: latest.decision,
      decidedBy: latest.decidedBy ?? latest.decidedByName,
      decidedByName: latest.decidedByName,
      decidedAt: latest.decidedAt.toISOString(),
    }),
  }
  throw new DomainError('CHANGED', { ...facts })
}
