import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { ApplyingRule, CommunityRules } from '#server/modules/rules/registry/schema.ts'
import { assertMayManageRules, mayWhereItApplies } from '#server/modules/rules/registry/scope.ts'

/**
 * The live rules of the whole network, in their order: they apply in a community beside its own. Fails with NOT_FOUND for a community the caller
 * may not see, FORBIDDEN where they may not manage rules. Uses rule_community_id_position_idx and rule_version_pkey.
 */
export async function listApplyingRules(ctx: Ctx, { communityId }: CommunityRules): Promise<ApplyingRule[]> {
  await assertMayManageRules(ctx, { communityId })
  return query<ApplyingRule>(
    ctx,
    sql`
    select r.rule_id, r.name, v.action ->> 'type' as does, ${mayWhereItApplies(ctx, 'manageRules', sql`r.community_id`)} as may_manage
    from rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version
    where r.community_id is null and r.state = 'live' and not r.is_archived order by r.position, r.rule_id`,
  )
}
