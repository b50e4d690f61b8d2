/** Those of CONTRACT.md, and those of whoever made a place: the desk speaks of them by their id, so they stay. */
export const SEEDED_ROLES: ReadonlySet<string> = new Set([
  'global-admin',
  'super-moderator',
  'moderator',
  'support',
  'community-owner',
  'community-moderator',
  'channel-owner',
  'channel-moderator',
])
