import type { Ctx } from '#server/core/ctx.ts'
import { applyDecision } from '#server/modules/review/decisions/apply-decision.ts'
import type { Decided, ReverseInput } from '#server/modules/review/decisions/schema.ts'

/**
 * Reverses an approval into a rejection, no matter who approved it or when: a new decision, with its own audit row. A
 * rejection is final. Fails as `decide` does; CHANGED if it is not approved, or has changed since the caller saw it.
 */
export function reverseDecision(ctx: Ctx, input: ReverseInput): Promise<Decided> {
  return applyDecision(ctx, { ...input, outcome: 'rejected' }, 'approved')
}
