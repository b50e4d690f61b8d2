import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import type { BanSpace, OneSpace } from '#server/modules/spaces/sanctions/schema.ts'

/** The kind of a community or channel, and its id. */
export function kindOf(space: OneSpace): { kind: SpaceKind<unknown>; spaceId: string } {
  return space.scope === 'channel'
    ? { kind: channelSpace, spaceId: space.channelId }
    : { kind: communitySpace, spaceId: space.communityId }
}

/** The space of a stored ban; the network has no id. */
export function spaceOf(scope: OneSpace['scope'], spaceId: string): OneSpace
export function spaceOf(scope: BanSpace['scope'], spaceId: string): BanSpace
export function spaceOf(scope: BanSpace['scope'], spaceId: string): BanSpace {
  switch (scope) {
    case 'channel':
      return { scope, channelId: spaceId }
    case 'community':
      return { scope, communityId: spaceId }
    case 'network':
      return { scope }
  }
}

/** The id of a space as bans store it; empty for the network. */
export function spaceIdOf(space: BanSpace): string {
  return space.scope === 'network' ? '' : kindOf(space).spaceId
}
