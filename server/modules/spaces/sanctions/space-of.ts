import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import type { MemberSpace } from '#server/modules/spaces/membership/member-space.ts'
import type { BanSpace } from '#server/modules/spaces/sanctions/schema.ts'

type SpaceSpace = Exclude<BanSpace, { scope: 'network' }>

/** The space that a place names. */
export function spaceOf(space: SpaceSpace): { space: MemberSpace<unknown>; spaceId: string } {
  return space.scope === 'channel'
    ? { space: channelSpace, spaceId: space.channelId }
    : { space: communitySpace, spaceId: space.communityId }
}

/** The place of a space; the network has no id. */
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
