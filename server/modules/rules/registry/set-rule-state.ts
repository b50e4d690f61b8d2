import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertSizes } from '#server/modules/rules/registry/assert-sizes.ts'
import { lockRule } from '#server/modules/rules/registry/lock-rule.ts'
import { readRule } from '#server/modules/rules/registry/read-rule.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'
import type { Rule, RuleState, RuleStateChange } from '#server/modules/rules/registry/schema.ts'
import { mayActManually } from '#server/modules/rules/registry/view.ts'

/** The states that follow each state. A rule that was used is paused rather than a draft again. */
const NEXT: Record<RuleState, readonly RuleState[]> = {
  draft: ['shadow', 'live'],
  shadow: ['live', 'paused'],
  live: ['shadow', 'paused'],
  paused: ['shadow', 'live'],
}

/**
 * Starts a rule in shadow or live, or pauses it. Fails with NOT_FOUND for one the caller may not manage, CHANGED if somebody changed it
 * first, FORBIDDEN for making live what the caller may not do by hand, INVALID_PARAMETERS for a state that doesn't follow and for too many
 * words.
 */
export function setRuleState(ctx: Ctx, { ruleId, revision, state }: RuleStateChange): Promise<Rule> {
  return inTransaction(ctx, async (ctx) => {
    const rule = await lockRule(ctx, { ruleId, revision })
    if (!NEXT[rule.state].includes(state))
      throw new DomainError('INVALID_PARAMETERS', { detail: [`state: ${rule.state} can't become ${state}`] })
    if (state === 'live' && !mayActManually(rule)) throw new DomainError('FORBIDDEN')
    if (state !== 'paused') await assertSizes(ctx, rule)

    await execute(
      ctx,
      sql`
      with used as (
        update rule_version set used_at = ${ctx.now()}
        where rule_id = ${ruleId} and version = ${rule.version} and used_at is null and ${state !== 'paused'})
      update rule set state = ${state}::rule_state, revision = revision + 1, updated_at = ${ctx.now()},
        live_since = case when ${state === 'live'} then ${ctx.now()} else live_since end
      where rule_id = ${ruleId}`,
    )
    const { version } = rule
    const states = { before: { state: rule.state, version }, after: { state, version } }
    await recordRule(ctx, rule, { action: ACTIONS[state], ...states })
    return readRule(ctx, { ruleId })
  })
}

const ACTIONS = {
  draft: 'rule.changed',
  shadow: 'rule.shadowed',
  live: 'rule.madeLive',
  paused: 'rule.paused',
} as const satisfies Record<RuleState, string>
