import type { Database } from '#server/core/database/open-database.ts'
import { DomainError } from '#server/core/errors.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { actorOfStaff } from '#server/modules/accounts/access/find-actor.ts'
import type { Standing } from '#server/testing/callers.ts'
import { ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { DESK_CALLERS, type DeskScene, makeDeskScenes } from '#server/testing/procedures/desk-callers.ts'
import { makeScenes, type Scene } from '#server/testing/scene.ts'

/**
 * More people at the desk, besides DESK_CALLERS. Those who had a part in the scene held the roles of its moderators, and no longer do;
 * those with a network role have the lowest rank and at most one permission.
 */
const MORE_CALLERS = [
  'member',
  'moderator who left',
  'moderator who is banned here',
  'moderator whose account is switched off',
  'moderator who is banned from the network',
  'network role without permissions',
  'network role that manages staff',
  'network role that manages settings',
  'channel moderator of no channel',
] as const
type MoreCaller = (typeof MORE_CALLERS)[number]
export type StressCaller = (typeof DESK_CALLERS)[number] | MoreCaller

/** Holders of a wide network role may do in the whole network what that role allows. */
export const SEES_ALL: ReadonlySet<StressCaller> = new Set(['support', 'moderator', 'super-moderator', 'admin'])

export interface StressScene extends DeskScene {
  caller: StressCaller
}

const LEADS: Standing = {
  membership: 'member',
  channelRoles: ['channel-moderator'],
  communityRoles: ['community-moderator'],
}
const STANDINGS: Partial<Record<MoreCaller, Standing>> = {
  member: { membership: 'member', channelRoles: [], communityRoles: [] },
  'moderator who is banned here': { ...LEADS, membership: 'banned' },
  'moderator whose account is switched off': LEADS,
  'moderator who is banned from the network': LEADS,
}
const ROLES: Partial<Record<MoreCaller, { roleId: string; permissions: string[] }>> = {
  'network role without permissions': { roleId: 'nothing', permissions: [] },
  'network role that manages staff': { roleId: 'manages-staff', permissions: ['MANAGE_STAFF'] },
  'network role that manages settings': { roleId: 'manages-settings', permissions: ['MANAGE_NETWORK_SETTINGS'] },
}
const LOWER_THAN_A_MODERATOR = 150

/** A scene for each of STRESS_CALLERS. One whose account the domain rejects is left out. */
export async function makeStressScenes(database: Database): Promise<StressScene[]> {
  const usual = (await makeDeskScenes(database)).map((scene, index) => ({
    ...scene,
    caller: DESK_CALLERS[index] ?? ('nobody' as const),
  }))
  const scenes = await makeScenes(database, { castings: MORE_CALLERS.map((caller) => STANDINGS[caller] ?? 'none') })
  const more = await Promise.all(
    scenes.map((scene, index) => seat(database, scene, MORE_CALLERS[index] ?? 'member', usual[0] as DeskScene)),
  )
  return [...usual, ...more.filter((scene) => scene !== undefined)]
}

async function seat(
  database: Database,
  scene: Scene,
  caller: MoreCaller,
  { admin, as }: DeskScene,
): Promise<StressScene | undefined> {
  const { prisma } = database
  const me = scene.callerId ?? ''
  const leadId = scene.memberId.replace('member', 'lead')
  await prisma.staffAccount.create({ data: accountOf(leadId) })
  if (caller === 'channel moderator of no channel') {
    if (!(await isGivenAccount(database, me))) return undefined
  } else {
    await prisma.staffAccount.create({
      data: { ...accountOf(me), isDisabled: caller === 'moderator whose account is switched off' },
    })
  }
  if (caller === 'moderator who is banned from the network')
    await prisma.user.update({ where: { userId: me }, data: { isGlobalBan: true } })
  if (caller === 'moderator who left') await leave(database, scene)
  const role = ROLES[caller]
  if (role) {
    const made = { ...role, scope: 'network' as const, rank: LOWER_THAN_A_MODERATOR }
    await prisma.role.upsert({ where: { roleId: role.roleId }, create: made, update: made })
    await prisma.user.update({ where: { userId: me }, data: { roles: [role.roleId] } })
  }
  const mine = async () => ctxOf(database, await actorOfStaff(database.pool, me))
  return { ...scene, caller, database, me, leadId, mine, admin, as }
}

/** Whether a channel role can be held without a channel. */
async function isGivenAccount(database: Database, userId: string): Promise<boolean> {
  try {
    const { email, name } = accountOf(userId)
    await createStaff(systemCtx(database), { email, name, userId, roleId: 'channel-moderator' })
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}

/** With the roles that they had: a row that names both is not a moderator's. */
async function leave({ prisma }: Database, { communityId, channelId, callerId: userId = '' }: Scene): Promise<void> {
  const left = { userId, membership: 'none' as const }
  await prisma.communityUser.upsert({
    where: { communityId_userId: { communityId, userId } },
    create: { ...left, communityId, roles: LEADS.communityRoles },
    update: { ...left, roles: LEADS.communityRoles },
  })
  await prisma.channelUser.create({ data: { ...left, channelId, roles: LEADS.channelRoles } })
}

const accountOf = (userId: string) => ({
  id: `staff-of-${userId}`,
  name: 'Some one',
  email: `${userId}@docket.example`,
  networkUserId: userId,
})
