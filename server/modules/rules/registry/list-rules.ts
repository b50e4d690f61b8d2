import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { ListedRule, RuleSpace } from '#server/modules/rules/registry/schema.ts'
import { assertMayManageRules } from '#server/modules/rules/registry/scope.ts'
import { managedRules, type RuleRow, ruleColumns, toListedRule } from '#server/modules/rules/registry/view.ts'

/**
 * The rules of a space, in their order. Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN where they may not manage
 * rules. Uses rule_community_id_position_idx.
 */
export async function listRules(ctx: Ctx, { communityId }: RuleSpace): Promise<ListedRule[]> {
  await assertMayManageRules(ctx, { communityId })
  const ofSpace = communityId === null ? sql`r.community_id is null` : sql`r.community_id = ${communityId}`
  const rows = await query<RuleRow>(
    ctx,
    sql`select ${ruleColumns(ctx)} from ${managedRules(ctx)} and ${ofSpace} order by r.position, r.rule_id`,
  )
  return rows.map(toListedRule)
}
