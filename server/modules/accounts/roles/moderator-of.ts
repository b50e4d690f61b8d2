/** The role that leads a space of each kind, besides that of whoever made it. */
export const MODERATOR_OF = { community: 'community-moderator', channel: 'channel-moderator' } as const
