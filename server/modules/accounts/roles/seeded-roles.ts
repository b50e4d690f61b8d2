/** The roles that always exist (docs/interface/permissions.md#roles-and-ranks): the code names them by id, so they can't be deleted. */
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
