import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { mayInChannel, mayInCommunity } from '#server/core/permissions.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'

/** Whether the caller may mute a person in at least one of their spaces, as an SQL condition. Uses community_user_user_id_idx and channel_user_user_id_idx. */
export function mayMuteSomewhere(ctx: Ctx, person: Sql): Sql {
  const [communityId, channelId] = [sql`own.community_id`, sql`own.channel_id`]
  return sql`(
    exists (select from community_user own join community k on k.community_id = own.community_id and not k.is_deleted
      where own.user_id = ${person} and ${mayMute(ctx, person, { communityId })})
    or exists (select from channel_user own join channel c on c.channel_id = own.channel_id and not c.is_deleted
      where own.user_id = ${person} and ${mayMute(ctx, person, { channelId })}))`
}

/**
 * Whether the caller may mute a person there and end their mute, as an SQL condition: those who may mute, for members of lower rank. Uses community_user_pkey
 * or channel_user_pkey.
 */
export function mayMute(ctx: Ctx, person: Sql, space: { communityId: Sql } | { channelId: Sql }): Sql {
  const [isPermitted, members] =
    'communityId' in space
      ? [
          mayInCommunity(ctx, 'muteMembers', space.communityId),
          sql`community_user cu where cu.community_id = ${space.communityId}`,
        ]
      : [
          mayInChannel(ctx, 'muteMembers', space.channelId),
          sql`channel_user cu where cu.channel_id = ${space.channelId}`,
        ]
  return sql`(${person} is distinct from ${actingUserId(ctx) ?? null} and ${isPermitted} and ${outranks(ctx, person, space)}
    and exists (select from ${members} and cu.user_id = ${person} and cu.membership = 'member' and not cu.is_deleted))`
}
