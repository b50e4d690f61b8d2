import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import type { ReviewItem } from '#server/modules/review/decisions/handlers/handler.ts'
import { handlerOf } from '#server/modules/review/decisions/handlers/handlers.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

/** A pending item, locked with its subject. */
export interface LockedItem
  extends Subject,
    Pick<ReviewItem, 'communityId' | 'channelId' | 'authorId' | 'version' | 'claimedBy' | 'claimedUntil'> {}

/**
 * Locks a pending item the caller reviews, including their own work. Fails with NOT_FOUND for what the caller may not see,
 * FORBIDDEN for what they may not review, CHANGED if it is no longer pending.
 */
export async function lockPending(
  ctx: Ctx,
  { subjectType, subjectId }: Subject,
): Promise<LockedItem & { communityId: string }> {
  const held = await handlerOf(subjectType, 'approved').lock(ctx, subjectId)
  if (!held.mayReview || held.communityId === null) throw new DomainError('FORBIDDEN')
  if (!held.isWaiting) throw new DomainError('CHANGED')
  const { communityId, authorId, version, claimedBy, claimedUntil } = held
  return { subjectType, subjectId, communityId, authorId, version, claimedBy, claimedUntil }
}

/** Locks an open report that the caller may dismiss. Fails as dismissing it does, with CHANGED if it is closed. */
export async function lockOpenReport(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<LockedItem> {
  const report = await handlerOf(subjectType, 'dismissed').lock(ctx, subjectId)
  if (!report.isWaiting) throw new DomainError('CHANGED')
  const { communityId, channelId = null, authorId, version, claimedBy, claimedUntil } = report
  return { subjectType, subjectId, communityId, channelId, authorId, version, claimedBy, claimedUntil }
}
