import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { lockRule } from '#server/modules/rules/registry/lock-rule.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'
import type { RuleRevision } from '#server/modules/rules/registry/schema.ts'

/**
 * Ends a rule for good; what it did, and its versions, stay. Fails with NOT_FOUND for one the caller may not manage, CHANGED if somebody
 * changed it first.
 */
export function archiveRule(ctx: Ctx, { ruleId, revision }: RuleRevision): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const rule = await lockRule(ctx, { ruleId, revision })
    await execute(
      ctx,
      sql`
      update rule set is_archived = true, state = 'paused', revision = revision + 1, updated_at = ${ctx.now()}
      where rule_id = ${ruleId}`,
    )
    const { state, version } = rule
    await recordRule(ctx, rule, { action: 'rule.archived', before: { state, version } })
  })
}
