import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { handlerOf } from '#server/modules/review/queue/handlers/handlers.ts'
import type { Subject } from '#server/modules/review/queue/schema.ts'

/**
 * Locks something the caller reviews that waits for a decision, whoever wrote it. Fails with NOT_FOUND for what the caller may not
 * know of, FORBIDDEN for what is not theirs to review, CHANGED where it waits no longer.
 */
export async function lockPending(
  ctx: Ctx,
  { subjectType, subjectId }: Subject,
): Promise<Subject & { communityId: string; authorId: string }> {
  const held = await handlerOf(subjectType, 'approved').lock(ctx, subjectId)
  if (!held.mayReview || held.communityId === null) throw new DomainError('FORBIDDEN')
  if (!held.isWaiting) throw new DomainError('CHANGED')
  return { subjectType, subjectId, communityId: held.communityId, authorId: held.authorId }
}
