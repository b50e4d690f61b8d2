import type { Ctx } from '#server/core/ctx.ts'
import { applyDecision } from '#server/modules/review/queue/apply-decision.ts'
import type { Decided, Deciding, Subject } from '#server/modules/review/queue/schema.ts'

/**
 * Approves or rejects what is held. Rejecting a comment also deletes it; a post moves on to the published or declined feed. Fails
 * with NOT_FOUND for what the caller may not know of, FORBIDDEN for what is not theirs to decide or what they wrote, CHANGED where
 * someone else was first or it was edited, INVALID_PARAMETERS for a reason that is none.
 */
export function decide(ctx: Ctx, input: Subject & Deciding): Promise<Decided> {
  return applyDecision(ctx, input, 'waiting')
}
