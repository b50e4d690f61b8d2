import type { Ctx } from '#server/core/ctx.ts'
import { applyDecision } from '#server/modules/review/decisions/apply-decision.ts'
import type { Decided, Deciding, Subject } from '#server/modules/review/decisions/schema.ts'

/**
 * Approves or rejects a held item. Rejecting a comment also deletes it; a post moves to the published or declined feed. Fails
 * with NOT_FOUND for what the caller may not see, FORBIDDEN for what they may not decide or what they wrote, CHANGED if someone
 * else decided first or it was edited, INVALID_PARAMETERS for an invalid reason.
 */
export function decide(ctx: Ctx, input: Subject & Deciding): Promise<Decided> {
  return applyDecision(ctx, input, 'waiting')
}
