import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { listRules } from '#server/modules/rules/registry/list-rules.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'
import type { ListedRule, RuleOrder } from '#server/modules/rules/registry/schema.ts'
import { assertMayManageRules, lockRulesOf } from '#server/modules/rules/registry/scope.ts'

/**
 * Puts the rules of a space in another order. Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN where they may not
 * manage rules, CHANGED where the rules are not those that the caller saw.
 */
export function orderRules(ctx: Ctx, { communityId, ruleIds }: RuleOrder): Promise<ListedRule[]> {
  return inTransaction(ctx, async (ctx) => {
    await assertMayManageRules(ctx, { communityId })
    await lockRulesOf(ctx, { communityId })
    const before = (await listRules(ctx, { communityId })).map(({ ruleId }) => ruleId)
    if (before.toSorted().join('\n') !== ruleIds.toSorted().join('\n')) throw new DomainError('CHANGED')

    await execute(
      ctx,
      sql`
      update rule r set position = ordered.position, revision = revision + 1, updated_at = ${ctx.now()}
      from (
        -- In the order in which rules that failed are locked.
        select rule_id from rule where rule_id = any(${ruleIds}::text[]) order by rule_id for no key update) locked,
      unnest(${ruleIds}::text[]) with ordinality as ordered(rule_id, position)
      where r.rule_id = locked.rule_id and r.rule_id = ordered.rule_id and r.position <> ordered.position`,
    )
    const order = { before: { ruleIds: before }, after: { ruleIds } }
    await recordRule(ctx, { ruleId: 'all', communityId }, { action: 'rule.ordered', ...order })
    return listRules(ctx, { communityId })
  })
}
