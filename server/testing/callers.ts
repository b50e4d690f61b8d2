/**
 * Who calls: nobody has no credentials; a stranger is a user who shares nothing with the scene but that they ask to be let into
 * its community; the next four are in its channel and its community, members of both unless banned from both; support, moderator
 * and admin are admin tokens of those network roles; the keys are API keys alone, allowed `sessions`, `sessions` and `roles`, and
 * `server`.
 */
export const CALLERS = [
  'nobody',
  'stranger',
  'member',
  'banned',
  'channel moderator',
  'community moderator',
  'support',
  'moderator',
  'admin',
  'key',
  'roles key',
  'server key',
] as const
export type Caller = (typeof CALLERS)[number]

/** What a user who calls is in the scene. */
export interface Standing {
  membership: 'member' | 'banned'
  channelRoles: string[]
  communityRoles: string[]
}

const MEMBER: Standing = { membership: 'member', channelRoles: [], communityRoles: [] }

/** Of those who call as a user: what they are in the scene; a stranger is nothing there. */
export const STANDINGS: Partial<Record<Caller, Standing | 'none'>> = {
  stranger: 'none',
  member: MEMBER,
  banned: { ...MEMBER, membership: 'banned' },
  'channel moderator': { ...MEMBER, channelRoles: ['channel-moderator'] },
  'community moderator': { ...MEMBER, communityRoles: ['community-moderator'] },
}

/** Of those who call with an admin token: the network role it acts with. */
export const NETWORK_ROLES: Partial<Record<Caller, string>> = {
  support: 'support',
  moderator: 'moderator',
  admin: 'global-admin',
}
