import type { Ctx } from '#server/core/ctx.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { actorOfStaff } from '#server/modules/accounts/access/find-actor.ts'
import { sessionDigest } from '#server/modules/accounts/access/session-digests.ts'
import { actorOfSession } from '#server/testing/actors.ts'
import { STANDINGS, type Standing } from '#server/testing/callers.ts'
import { ctxOf } from '#server/testing/ctx.ts'
import { makeScenes, type Scene } from '#server/testing/scene.ts'

/**
 * The people at the desk: nobody has not signed in; the next two lead the scene's community and its channel; the two after them lead others
 * and have no part in this scene; the last four hold a network role.
 */
export const DESK_CALLERS = [
  'nobody',
  'community moderator',
  'channel moderator',
  'community moderator elsewhere',
  'channel moderator elsewhere',
  'support',
  'moderator',
  'super-moderator',
  'admin',
] as const
export type DeskCaller = (typeof DESK_CALLERS)[number]

const HERE: Partial<Record<DeskCaller, Standing>> = {
  'community moderator': STANDINGS['community moderator'] as Standing,
  'channel moderator': STANDINGS['channel moderator'] as Standing,
}
const NETWORK_ROLES: Partial<Record<DeskCaller, string>> = {
  support: 'support',
  moderator: 'moderator',
  'super-moderator': 'super-moderator',
  admin: 'global-admin',
}

const IN_AN_HOUR = new Date(Date.now() + 3_600_000)
const sessionOf = (userId: string) => `session-of-${userId}`
const ADMIN = 'admin-of-the-table'

/** A scene with one person at the desk. */
export interface DeskScene extends Scene {
  database: Database
  /** The person at the desk; absent without an account. */
  me: string
  /** Leads the community and the channel, and is none of the callers. */
  leadId: string
  /** The caller's context, as their session gives it. */
  mine(): Promise<Ctx>
  /** The context of a network admin who is none of the callers. */
  admin(): Promise<Ctx>
  /** The current context of another person with an account. */
  as(userId: string): Promise<Ctx>
}

/** One scene for each of these callers, who may repeat: created with the same statements however many they are. */
export async function makeDeskScenes(
  database: Database,
  callers: readonly DeskCaller[] = DESK_CALLERS,
): Promise<DeskScene[]> {
  const scenes = await makeScenes(database, { castings: callers.map((caller) => HERE[caller] ?? 'none') })
  const seated = scenes.map((scene, index) => toDeskScene(database, scene, callers[index] ?? 'nobody'))
  await seatLeaders(database, seated)
  await seatCallers(database, seated)
  return seated
}

function toDeskScene(database: Database, scene: Scene, caller: DeskCaller): DeskScene & { caller: DeskCaller } {
  return {
    ...scene,
    caller,
    database,
    me: scene.callerId ?? '',
    leadId: scene.memberId.replace('member', 'lead'),
    mine: async () => ctxOf(database, await actorOfSession(database.pool, sessionOf(scene.callerId ?? ''))),
    admin: async () => ctxOf(database, await actorOfStaff(database.pool, ADMIN)),
    as: async (userId) => ctxOf(database, await actorOfStaff(database.pool, userId)),
  }
}

async function seatLeaders({ prisma }: Database, scenes: DeskScene[]): Promise<void> {
  await prisma.user.createMany({ data: [{ userId: ADMIN, roles: ['global-admin'] }], skipDuplicates: true })
  await prisma.staffAccount.createMany({ data: [accountOf(ADMIN)], skipDuplicates: true })
  await prisma.staffAccount.createMany({ data: scenes.map(({ leadId }) => accountOf(leadId)) })
}

async function seatCallers({ prisma }: Database, scenes: (DeskScene & { caller: DeskCaller })[]): Promise<void> {
  const people = scenes.filter(({ caller }) => caller !== 'nobody')
  await prisma.staffAccount.createMany({ data: people.map(({ me }) => accountOf(me)) })
  await prisma.staffSession.createMany({
    data: people.map(({ me }) => ({
      id: sessionOf(me),
      token: sessionDigest(sessionOf(me)),
      userId: accountOf(me).id,
      expiresAt: IN_AN_HOUR,
    })),
  })
  const peopleWho = (wanted: string) => people.filter(({ caller }) => caller === wanted).map(({ me }) => me)
  for (const [caller, role] of Object.entries(NETWORK_ROLES)) {
    const userIds = peopleWho(caller)
    if (userIds.length > 0)
      await prisma.user.updateMany({ where: { userId: { in: userIds } }, data: { roles: [role] } })
  }
  const inCommunities = peopleWho('community moderator elsewhere').map((userId) => ({
    userId,
    communityId: elsewhereOf(userId),
  }))
  await prisma.community.createMany({
    data: inCommunities.map(({ communityId }) => ({ communityId, internalId: `internal-${communityId}` })),
  })
  await prisma.communityUser.createMany({
    data: inCommunities.map((part) => ({ ...part, membership: 'member' as const, roles: ['community-moderator'] })),
  })
  const inChannels = peopleWho('channel moderator elsewhere').map((userId) => ({
    userId,
    channelId: elsewhereOf(userId),
  }))
  await prisma.channel.createMany({
    data: inChannels.map(({ channelId }) => ({ channelId, internalId: `internal-${channelId}` })),
  })
  await prisma.channelUser.createMany({
    data: inChannels.map((part) => ({ ...part, membership: 'member' as const, roles: ['channel-moderator'] })),
  })
}

const elsewhereOf = (userId: string) => `elsewhere-${userId}`

const accountOf = (userId: string) => ({
  id: `staff-of-${userId}`,
  name: 'Some one',
  email: `${userId}@docket.example`,
  networkUserId: userId,
})
