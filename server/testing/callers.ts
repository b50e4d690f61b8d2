/**
 * The callers: nobody has no credentials; a stranger is a user who shares nothing with the scene except a request to join its community;
 * the next four are in its channel and its community, members of both unless banned from both; support, moderator and admin are admin
 * tokens of those network roles; the keys are API keys alone, allowed `sessions`, `sessions` and `roles`, and `server`.
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

/** The part of a calling user in the scene. */
export interface Standing {
  membership: 'member' | 'banned'
  channelRoles: string[]
  communityRoles: string[]
}

const MEMBER: Standing = { membership: 'member', channelRoles: [], communityRoles: [] }

/** The callers that are users, with their part in the scene; a stranger has none. */
export const STANDINGS: Partial<Record<Caller, Standing | 'none'>> = {
  stranger: 'none',
  member: MEMBER,
  banned: { ...MEMBER, membership: 'banned' },
  'channel moderator': { ...MEMBER, channelRoles: ['channel-moderator'] },
  'community moderator': { ...MEMBER, communityRoles: ['community-moderator'] },
}

/** The callers with an admin token, with the network role it acts with. */
export const NETWORK_ROLES: Partial<Record<Caller, string>> = {
  support: 'support',
  moderator: 'moderator',
  admin: 'global-admin',
}
