import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type ChannelAction, type CommunityAction, mayInChannel, mayInCommunity } from '#server/core/permissions.ts'
import type { MemberActs, MemberSpace } from '#server/modules/desk/spaces/schema.ts'
import { knowsChannel, knowsCommunity } from '#server/modules/people/scope.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

const CHANNEL = sql`c.channel_id`
const COMMUNITY = sql`k.community_id`

/** Channels `c` that the desk shows the caller: all of them, or those they moderate. */
export const channelsShown = (ctx: Ctx): Sql => knowsChannel(ctx, 'VIEW_CHANNELS', CHANNEL)
/** Communities `k` that the desk shows the caller: all of them, or those they moderate. */
export const communitiesShown = (ctx: Ctx): Sql => knowsCommunity(ctx, 'VIEW_USERS', COMMUNITY)

/**
 * What the caller may do with the members of a space that the desk shows them; nothing in a deleted one. Fails with NOT_FOUND for a space
 * they may not see, FORBIDDEN for one that they do not moderate.
 */
export async function readSpaceActs(ctx: Ctx, space: MemberSpace): Promise<MemberActs> {
  return shownActs(await queryOne<ShownActs>(ctx, spaceActs(ctx, space)))
}

/** The row of `spaceActs`. */
export type ShownActs = MemberActs & { isShown: boolean }

export function spaceActs(ctx: Ctx, space: MemberSpace): Sql {
  return space.scope === 'channel' ? ofChannel(ctx, space.channelId) : ofCommunity(ctx, space.communityId)
}

/** Fails as `readSpaceActs` does. */
export function shownActs(found: ShownActs | undefined): MemberActs {
  if (!found?.isShown) throw new DomainError(found ? 'FORBIDDEN' : 'NOT_FOUND')
  const { ban, mute, add, remove, roles } = found
  return { ban, mute, add, remove, roles }
}

/** Uses channel_pkey. The members of a conversation can't be changed by moderators. */
function ofChannel(ctx: Ctx, channelId: string): Sql {
  const may = (action: ChannelAction) => sql`(not c.is_deleted and ${mayInChannel(ctx, action, CHANNEL)})`
  return sql`
    select ${channelsShown(ctx)} as is_shown, ${may('banMembers')} as ban, ${may('muteMembers')} as mute,
      c.type <> 'conversation' and ${may('addMembers')} as add, c.type <> 'conversation' and ${may('removeMembers')} as remove,
      ${may('assignRoles')} as roles
    from channel c where c.channel_id = ${channelId} and (${mayKnowChannel(ctx)} or ${channelsShown(ctx)})`
}

/** Uses community_pkey. */
function ofCommunity(ctx: Ctx, communityId: string): Sql {
  const may = (action: CommunityAction) => sql`(not k.is_deleted and ${mayInCommunity(ctx, action, COMMUNITY)})`
  return sql`
    select ${communitiesShown(ctx)} as is_shown, ${may('banMembers')} as ban, ${may('muteMembers')} as mute, ${may('addMembers')} as add,
      ${may('removeMembers')} as remove, ${may('assignRoles')} as roles
    from community k where k.community_id = ${communityId} and (${isVisible(ctx)} or ${communitiesShown(ctx)})`
}
