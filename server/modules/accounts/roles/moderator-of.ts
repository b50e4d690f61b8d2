/** The moderator role of each kind of space, besides the role of its owner. */
export const MODERATOR_OF = { community: 'community-moderator', channel: 'channel-moderator' } as const
