import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { ownRank, type Reach, rankOf, type Space } from '#server/core/permissions.ts'
import { MODERATOR_OF } from '#server/modules/accounts/roles/moderator-of.ts'
import { ownMembership } from '#server/modules/accounts/roles/own-authority.ts'

export const GLOBAL_ADMIN = 'global-admin'

/**
 * Whether the caller may act on the user in this column, as SQL (docs/interface/permissions.md#acting-on-people): on people of strictly
 * lower rank, counted in all the spaces that the action affects; global admins manage each other. `own` is the caller's rank where it is
 * not that of their roles.
 */
export function outranks(ctx: Ctx, userColumn: Sql, reach: Reach, own: Sql = ownRank(ctx, reach)): Sql {
  return isBelow(own, rankOf(userColumn, reach))
}

/**
 * Whether the caller and the user that the column names are peers in this space, as an SQL condition: both hold its moderator role, and
 * nothing that the other holds there or in the network ranks above it. Peers may give and take that one role.
 */
export function arePeers(ctx: Ctx, userColumn: Sql, space: Space): Sql {
  const role = MODERATOR_OF['communityId' in space ? 'community' : 'channel']
  const theirs =
    'communityId' in space
      ? sql`community_user peer where peer.community_id = ${space.communityId}`
      : sql`channel_user peer where peer.channel_id = ${space.channelId}`
  return sql`(exists (select from ${ownMembership(ctx, space)} and ${role} = any(own.roles))
    and exists (select from ${theirs} and peer.user_id = ${userColumn} and peer.membership = 'member' and not peer.is_deleted
      and ${role} = any(peer.roles))
    and ${rankOf(userColumn, space)} <= role_rank(array[${role}]))`
}

/** Whether this rank may act on that one. Worded so that theirs is looked up once, and most often the caller's own as well. */
export function isBelow(own: Sql, theirs: Sql): Sql {
  return sql`(case sign(${own} - ${theirs}) when 1 then true when 0 then ${own} >= nullif(role_rank(array[${GLOBAL_ADMIN}]), 0) else false end)`
}
