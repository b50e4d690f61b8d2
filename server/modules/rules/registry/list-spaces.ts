import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { mayEverywhere, mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import type { ManagedSpace, ManagedSpacesInput } from '#server/modules/rules/registry/schema.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

/** More wouldn't be looked through; a community is also found by its name. */
const SPACES_LIMIT = 200

/**
 * Where the caller may manage rules: the network, then communities by name. Those who manage the rules of all communities get those that have
 * some, and the one they ask for. Uses rule_community_id_position_idx and community_user_user_id_idx.
 */
export async function listRuleSpaces(ctx: Ctx, { communityId }: ManagedSpacesInput = {}): Promise<ManagedSpace[]> {
  const isEverywhere = mayEverywhere(ctx, 'manageRules')
  const rows = await query<{ communityId: string | null; displayName: string; rules: number }>(
    ctx,
    sql`
    (select null as community_id, '' as display_name,
      (select count(*)::int from rule where community_id is null and not is_archived) as rules
      where ${isEverywhere})
    union all (
      select k.community_id, coalesce(nullif(k.display_name, ''), k.community_id) as display_name,
        (select count(*)::int from rule where community_id = k.community_id and not is_archived) as rules
      from community k
      where ${isEverywhere ? hasRulesOrIs(communityId) : sql`true`}
        and not k.is_deleted and ${mayInCommunity(ctx, 'manageRules', sql`k.community_id`)} and ${isVisible(ctx)}
      order by lower(k.display_name), k.community_id ${sql.raw(`limit ${SPACES_LIMIT}`)})`,
  )
  return rows.map(({ communityId, ...space }) => ({ ...space, ...present({ communityId }) }))
}

function hasRulesOrIs(communityId: string | undefined): Sql {
  const hasRules = sql`k.community_id in (select community_id from rule where not is_archived)`
  return communityId === undefined ? hasRules : sql`(k.community_id = ${communityId} or ${hasRules})`
}
