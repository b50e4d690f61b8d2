import type { Ctx } from '#server/core/ctx.ts'
import { applyDecision } from '#server/modules/review/decisions/apply-decision.ts'
import type { Decided, ReverseInput } from '#server/modules/review/decisions/schema.ts'

/**
 * Restores what rules rejected, no matter when: an approval, with its own audit row. What people rejected stays rejected. Fails as `decide`
 * does; CHANGED if rules didn't reject it, or people decided or it has changed since the caller saw it.
 */
export function restoreRejected(ctx: Ctx, input: ReverseInput): Promise<Decided> {
  return applyDecision(ctx, { ...input, outcome: 'approved' }, 'rejected')
}
