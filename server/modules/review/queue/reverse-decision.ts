import type { Ctx } from '#server/core/ctx.ts'
import { applyDecision } from '#server/modules/review/queue/apply-decision.ts'
import type { Decided, ReverseInput } from '#server/modules/review/queue/schema.ts'

/**
 * Makes an approval into a rejection, whoever approved it and however long ago: a decision of its own, with its own entry in the
 * log. A rejection is final. Fails as `decide` does; CHANGED for what is not approved, or not as it was seen.
 */
export function reverseDecision(ctx: Ctx, input: ReverseInput): Promise<Decided> {
  return applyDecision(ctx, { ...input, outcome: 'rejected' }, 'approved')
}
