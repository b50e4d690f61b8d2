import { toChannelPath } from '#components/kit/addresses/channels-search.ts'
import { toCommunityPath } from '#components/kit/addresses/communities-search.ts'
import type { MemberSpace } from '#server/modules/desk/spaces/schema.ts'
import type { Channel } from '#server/modules/spaces/channels/schema.ts'
import type { Community } from '#server/modules/spaces/communities/schema.ts'

export interface Named {
  displayName?: string | undefined
}

/** A kind of space, for the pages that channels and communities share. */
export interface SpaceKind<Space extends Named> {
  /** The namespace of its texts. */
  texts: 'channels' | 'communities'
  idOf: (space: Space) => string
  memberCountOf: (space: Space) => number
  spaceOf: (spaceId: string) => MemberSpace
  toPath: (spaceId: string) => string
}

export const CHANNEL: SpaceKind<Channel> = {
  texts: 'channels',
  idOf: ({ channelId }) => channelId,
  memberCountOf: ({ memberCount }) => memberCount,
  spaceOf: (channelId) => ({ scope: 'channel', channelId }),
  toPath: toChannelPath,
}

export const COMMUNITY: SpaceKind<Community> = {
  texts: 'communities',
  idOf: ({ communityId }) => communityId,
  memberCountOf: ({ membersCount }) => membersCount,
  spaceOf: (communityId) => ({ scope: 'community', communityId }),
  toPath: toCommunityPath,
}

/** The name of a space; its id, if it has none. */
export function spaceNameOf<Space extends Named>(kind: SpaceKind<Space>, space: Space): string {
  return space.displayName || kind.idOf(space)
}
