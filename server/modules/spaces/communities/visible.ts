import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { COMMUNITY_ACTIONS, type CommunityAction, holds, mayEverywhere } from '#server/core/permissions.ts'

/** Whether the caller is a member of `community k`, as an SQL condition. */
export function isJoined(ctx: Ctx): Sql {
  return standsIn(ctx, sql`mine.membership = 'member'`)
}

/**
 * Whether the caller manages every community: sees all of the network's users, or has a permission that applies in each of its communities.
 */
function knowsEveryCommunity(ctx: Ctx): boolean {
  const actions = Object.keys(COMMUNITY_ACTIONS) as CommunityAction[]
  return holds(ctx, 'VIEW_USERS') || actions.some((action) => mayEverywhere(ctx, action))
}

/**
 * Whether the caller may see `community k`, as an SQL condition: public and discoverable ones are visible to all, others to their members,
 * to those banned from them, and in admin context as far as the role's permissions go: those who read the full history know where it took
 * place.
 */
export function isVisible(ctx: Ctx): Sql {
  if (knowsEveryCommunity(ctx) || holds(ctx, 'VIEW_HISTORY')) return sql`true`
  return sql`(k.is_public or k.is_discoverable or ${standsIn(ctx, sql`mine.membership in ('member', 'banned')`)})`
}

/** Whether the caller may see the members and content of `community k`, as an SQL condition. */
export function isOpen(ctx: Ctx): Sql {
  return knowsEveryCommunity(ctx) ? sql`true` : sql`(k.is_public or ${isJoined(ctx)})`
}

function standsIn(ctx: Ctx, as: Sql): Sql {
  const userId = actingUserId(ctx)
  if (userId === undefined) return sql`false`
  return sql`exists (
    select from community_user mine
    where mine.community_id = k.community_id and mine.user_id = ${userId} and ${as} and not mine.is_deleted)`
}
