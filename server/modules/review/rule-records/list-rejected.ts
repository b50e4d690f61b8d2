import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { matchesAfter, pageOfItems, readItems } from '#server/modules/review/rule-records/recorded-items.ts'
import type { RejectedByRules, RejectedByRulesInput } from '#server/modules/review/rule-records/schema.ts'
import { assertMayManageRules } from '#server/modules/rules/registry/scope.ts'

/**
 * What the live rules of a space rejected, newest first, and whether people restored it; what several rules rejected is there for each of
 * them. Archived rules count. Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN where they may not manage rules,
 * INVALID_REQUEST for a cursor that isn't one.
 */
export async function listRejected(
  ctx: Ctx,
  { communityId, cursor, limit }: RejectedByRulesInput,
): Promise<RejectedByRules> {
  await assertMayManageRules(ctx, { communityId })
  const most = sql.raw(`limit ${limit + 1}`)
  // Uses rule_community_id_position_idx, rule_version_pkey, and rule_match_live for each version that rejects.
  const matches = sql`
    select rejected.* from rule r
    join rule_version v on v.rule_id = r.rule_id and v.action ->> 'type' = 'reject'
    cross join lateral (
      select * from rule_match m
      where m.rule_id = v.rule_id and m.version = v.version and m.is_live ${matchesAfter(cursor)}
      order by m.match_id desc ${most}) rejected
    where ${communityId === null ? sql`r.community_id is null` : sql`r.community_id = ${communityId}`}
    order by rejected.match_id desc ${most}`
  return pageOfItems(await readItems(ctx, matches), limit)
}
