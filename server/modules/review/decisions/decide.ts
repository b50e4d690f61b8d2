import type { Ctx } from '#server/core/ctx.ts'
import { type DecisionInput, decideItem } from '#server/modules/review/decisions/decide-items.ts'
import type { Decided, ReverseInput } from '#server/modules/review/decisions/schema.ts'

/**
 * Approves or rejects a held item, or dismisses a report or deletes what it is about. Rejecting a comment also deletes it; a post moves to the
 * published or declined feed. Fails with NOT_FOUND for what the caller may not see, FORBIDDEN for what they may not decide or what they wrote,
 * CHANGED if someone else decided first or it was edited, INVALID_PARAMETERS for an invalid reason.
 */
export async function decide(ctx: Ctx, input: DecisionInput): Promise<Decided> {
  return (await decideItem(ctx, input, { from: 'waiting' })).decided
}

/**
 * Reverses an approval into a rejection, no matter who approved it or when: a new decision, with its own audit row. A
 * rejection is final. Fails as `decide` does; CHANGED if it is not approved, or has changed since the caller saw it.
 */
export async function reverseDecision(ctx: Ctx, input: ReverseInput): Promise<Decided> {
  return (await decideItem(ctx, { ...input, outcome: 'rejected' }, { from: 'approved' })).decided
}

/**
 * Restores what rules rejected, no matter when: an approval, with its own audit row. What people rejected stays rejected. Fails as `decide`
 * does; CHANGED if rules didn't reject it, or people decided or it has changed since the caller saw it.
 */
export async function restoreRejected(ctx: Ctx, input: ReverseInput): Promise<Decided> {
  return (await decideItem(ctx, { ...input, outcome: 'approved' }, { from: 'rejected' })).decided
}
