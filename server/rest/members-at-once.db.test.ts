import { describe, expect, test } from 'vitest'
import { foldDeltas } from '#server/modules/ledger/counts/fold-deltas.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const [admin, staff] = await Promise.all([tokenOf(), adminTokenOf(database, 'super-moderator')])

const BAN_ROUNDS = IS_STRESS ? scaled(20) : 4
const ACT_ROUNDS = IS_STRESS ? scaled(40) : 6
const random = randomNumbers()

interface State {
  membership: string
  roles: string[]
}

/** A space with members, described by its paths, tables and words. */
interface Space {
  id: string
  path: string
  moderator: { userId: string; token: string }
  role: string
  /** The column of bans, audit and events that names it. */
  scope: { channelId: string } | { communityId: string }
  stateOf(userId: string): Promise<State | null>
  /** The displayed counts, and the real ones. */
  counts(): Promise<{ shown: number[]; real: number[] }>
}

async function person() {
  const { userId } = await make.user()
  return { userId, token: await tokenOf(userId) }
}

async function channel(): Promise<Space> {
  const { channelId } = await prisma.channel.create({ data: { channelId: 'a-channel' } })
  const moderator = await person()
  await call('POST', `/api/v3/channels/${channelId}/users`, { token: admin, body: { userIds: [moderator.userId] } })
  await call('POST', `/api/v3/channels/${channelId}/users/roles`, {
    token: admin,
    body: { userIds: [moderator.userId], role: 'channel-moderator' },
  })
  const isMember = { channelId, membership: 'member' as const, isDeleted: false }
  return {
    id: channelId,
    path: `/api/v3/channels/${channelId}`,
    moderator,
    role: 'channel-moderator',
    scope: { channelId },
    stateOf: (userId) => prisma.channelUser.findUnique({ where: { channelId_userId: { channelId, userId } } }),
    counts: async () => ({
      shown: (await call('GET', `/api/v3/channels/${channelId}`, { token: admin })).body.channels.map(
        (one: { memberCount: number }) => one.memberCount,
      ),
      real: [await prisma.channelUser.count({ where: isMember })],
    }),
  }
}

async function community(): Promise<Space> {
  const moderator = await person()
  const { body } = await call('POST', '/api/v3/communities', {
    token: moderator.token,
    body: { displayName: 'A community' },
  })
  const [{ communityId }] = body.communities
  const isMember = { communityId, membership: 'member' as const, isDeleted: false }
  return {
    id: communityId,
    path: `/api/v3/communities/${communityId}`,
    moderator,
    role: 'community-moderator',
    scope: { communityId },
    stateOf: (userId) => prisma.communityUser.findUnique({ where: { communityId_userId: { communityId, userId } } }),
    counts: async () => ({
      shown: (await call('GET', `/api/v3/communities/${communityId}`, { token: admin })).body.communities.flatMap(
        (one: { membersCount: number; moderatorMemberCount: number }) => [one.membersCount, one.moderatorMemberCount],
      ),
      real: [
        await prisma.communityUser.count({ where: isMember }),
        await prisma.communityUser.count({ where: { ...isMember, roles: { has: 'community-moderator' } } }),
      ],
    }),
  }
}

type Act = [method: string, path: string, who: 'member' | 'moderator' | 'admin' | 'staff']
const ACTS: Act[] = [
  ...(['moderator', 'admin', 'staff'] as const).flatMap((who): Act[] => [
    ['PUT', '/users/ban', who],
    ['PUT', '/users/unban', who],
    ['POST', '/users', who],
    ['DELETE', '/users', who],
    ['POST', '/users/roles', who],
    ['DELETE', '/users/roles', who],
  ]),
  ['POST', '/join', 'member'],
  ['DELETE', '/leave', 'member'],
]
const [BAN, UNBAN] = ACTS as [Act, Act]
const BAN_BY_ADMIN: Act = ['PUT', '/users/ban', 'admin']
const JOIN: Act = ['POST', '/join', 'member']
const GIVE: Act = ['POST', '/users/roles', 'admin']

/** Each act is rejected if another came before it; no other outcome is allowed. */
const ANSWERS = ['200', '403 400300', '403 400301', '403 400304', '403 400306', '403 400316', '404 400400']

async function actAtOnce(space: Space, { userId, token }: { userId: string; token: string }, acts: Act[]) {
  const tokens = { member: token, moderator: space.moderator.token, admin, staff }
  const answers = await Promise.all(
    acts.map(([method, path, who]) =>
      call(method, `${space.path}${path}`, {
        token: tokens[who],
        ...(who !== 'member' && { body: { userIds: [userId], ...(path === '/users/roles' && { role: space.role }) } }),
      }),
    ),
  )
  return answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.code}`))
}

/** What the log of a member says so far: the state after its last change. */
interface Replayed {
  lastId: bigint
  state: State
}
const NOTHING: Replayed = { lastId: 0n, state: { membership: 'none', roles: [] } }

/** Goes on replaying the log, change by change, and fails if that does not give the current state. */
async function expectLogged(space: Space, userId: string, known = NOTHING): Promise<Replayed> {
  const log = await prisma.audit.findMany({
    where: { ...space.scope, subjectType: 'user', subjectId: userId, auditId: { gt: known.lastId } },
    orderBy: { auditId: 'asc' },
  })
  let { lastId, state } = known
  for (const change of log) {
    const [before, after] = [change.before as Partial<State>, change.after as Partial<State>]
    expect(state).toMatchObject(before)
    expect(state).not.toMatchObject(after)
    lastId = change.auditId
    // Joining, leaving or a ban removes all roles.
    state = { ...state, ...(after.membership !== undefined && { roles: [] }), ...after }
  }
  const { membership, roles } = (await space.stateOf(userId)) ?? { membership: 'none', roles: [] }
  expect({ membership, roles }).toEqual(state)
  if (membership !== 'member') expect(roles).toEqual([])
  expect(await prisma.ban.count({ where: { ...space.scope, userId, liftedAt: null } })).toBe(
    membership === 'banned' ? 1 : 0,
  )
  return { lastId, state }
}

async function expectCounted(space: Space): Promise<void> {
  const { shown, real } = await space.counts()
  expect(shown).toEqual(real)
}

describe.each([
  ['a channel', channel],
  ['a community', community],
] as const)('in %s', async (_name, makeSpace) => {
  const space = await makeSpace()
  const eventsOf = () => prisma.event.count({ where: { subjectId: space.id } })
  const changesOf = () => prisma.audit.count({ where: { ...space.scope, subjectType: 'user' } })

  test(`concurrent bans, unbans and joins of one member: ${BAN_ROUNDS} repetitions end in what some order of them gives`, async () => {
    for (let round = 0; round < BAN_ROUNDS; round += 1) {
      const who = await person()
      if (round % 2 === 0) await actAtOnce(space, who, [JOIN])
      if (round % 4 === 0) await actAtOnce(space, who, [GIVE])
      const [eventsBefore, changesBefore] = [await eventsOf(), await changesOf()]

      const answers = await actAtOnce(space, who, [BAN, JOIN, UNBAN, JOIN, BAN, JOIN])

      for (const answer of answers) expect(ANSWERS).toContain(answer)
      const { state } = await expectLogged(space, who.userId)
      expect(['none', 'member', 'banned']).toContain(state.membership)
      expect((await eventsOf()) - eventsBefore).toBe((await changesOf()) - changesBefore)
    }
    await expectCounted(space)
  })

  test(`every act on one member, eight at once by four callers, ${ACT_ROUNDS} times: the log gives the state, and counts are exact`, async () => {
    const who = await person()
    let logged = NOTHING
    const endStates = [
      { membership: 'banned', roles: [] },
      { membership: 'none', roles: [] },
      { membership: 'member', roles: [] },
      { membership: 'member', roles: [space.role] },
    ]
    const [eventsBefore, changesBefore] = [await eventsOf(), await changesOf()]
    for (let round = 0; round < ACT_ROUNDS; round += 1) {
      const answers = await actAtOnce(
        space,
        who,
        Array.from({ length: 8 }, () => random.oneOf(ACTS)),
      )
      for (const answer of answers) expect(ANSWERS).toContain(answer)
      logged = await expectLogged(space, who.userId, logged)
      expect(endStates).toContainEqual(logged.state)
      if (round % 10 === 0) await expectCounted(space)
    }
    // One after the other, whatever state the last round left.
    const reached: State[] = []
    for (const act of [BAN_BY_ADMIN, UNBAN, JOIN, GIVE]) {
      await actAtOnce(space, who, [act])
      logged = await expectLogged(space, who.userId, logged)
      reached.push(logged.state)
    }
    expect(reached).toEqual(endStates)
    await expectCounted(space)
    await foldDeltas(systemCtx(database))
    await expectCounted(space)
    expect((await eventsOf()) - eventsBefore).toBe((await changesOf()) - changesBefore)
    expect(await space.stateOf(space.moderator.userId)).toMatchObject({
      membership: 'member',
      roles: expect.arrayContaining([space.role]),
    })
  })
})
