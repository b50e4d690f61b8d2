/** The roles that CONTRACT.md names: the desk speaks of them by their id, so they stay. */
export const SEEDED_ROLES: ReadonlySet<string> = new Set([
  'global-admin',
  'super-moderator',
  'moderator',
  'support',
  'community-moderator',
  'channel-moderator',
])
