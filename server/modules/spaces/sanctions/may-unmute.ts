import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { mayInChannel, mayInCommunity } from '#server/core/permissions.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'

/**
 * Whether the caller may end the mute of a person there, as an SQL condition: those who may mute, for members of lower rank. Uses community_user_pkey
 * or channel_user_pkey.
 */
export function mayUnmute(ctx: Ctx, person: Sql, space: { communityId: Sql } | { channelId: Sql }): Sql {
  const [mayMute, members] =
    'communityId' in space
      ? [
          mayInCommunity(ctx, 'muteMembers', space.communityId),
          sql`community_user cu where cu.community_id = ${space.communityId}`,
        ]
      : [
          mayInChannel(ctx, 'muteMembers', space.channelId),
          sql`channel_user cu where cu.channel_id = ${space.channelId}`,
        ]
  return sql`(${person} is distinct from ${actingUserId(ctx) ?? null} and ${mayMute} and ${outranks(ctx, person, space)}
    and exists (select from ${members} and cu.user_id = ${person} and cu.membership = 'member' and not cu.is_deleted))`
}
