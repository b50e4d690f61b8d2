import { toChannelPath } from '#components/kit/addresses/channels-search.ts'
import { toCommunityPath } from '#components/kit/addresses/communities-search.ts'
import type { MemberSpace } from '#server/modules/desk/spaces/schema.ts'
import type { Channel } from '#server/modules/spaces/channels/schema.ts'
import type { Community } from '#server/modules/spaces/communities/schema.ts'

/** What the pages of channels and communities have in common, and where they differ in nothing but a name. */
export interface SpaceKind<Space extends { displayName: string }> {
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
export function spaceNameOf<Space extends { displayName: string }>(kind: SpaceKind<Space>, space: Space): string {
  return space.displayName || kind.idOf(space)
}
