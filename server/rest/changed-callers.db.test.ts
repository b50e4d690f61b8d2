import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { beforeStatements } from '#server/testing/recorded-statements.ts'
import { whenOver } from '#server/testing/when-over.ts'

const { database, url, prisma, make } = await testDatabase()

const { communityId } = await make.heldComment()
const { channelId } = await make.channel({ isPublic: true })

/** A process of its own. */
async function startProcess() {
  const own = openDatabase({ url, connections: 4, onError: () => {} })
  whenOver(() => own.close())
  return testApi(own)
}
const [one, other] = [await startProcess(), await startProcess()]

/** Each with the status of the next request. */
const CHANGES: { change: string; path: string; status: number; make: (userId: string) => Promise<unknown> }[] = [
  {
    change: 'a revoked token',
    path: `/api/v3/channels/${channelId}`,
    status: 401,
    make: (userId) => prisma.accessToken.updateMany({ where: { userId }, data: { revokedAt: new Date() } }),
  },
  {
    change: 'a ban from the network',
    path: '/api/v2/search/messages?query=quokka',
    status: 401,
    make: (userId) => prisma.user.update({ where: { userId }, data: { isGlobalBan: true } }),
  },
  {
    change: 'a removed role',
    path: `/api/v3/communities/${communityId}/comments/review-queue`,
    status: 403,
    make: (userId) => prisma.communityUser.updateMany({ where: { userId, communityId }, data: { roles: [] } }),
  },
]

test.each(CHANGES)('$change takes effect with the next request, in every process', async ({
  path,
  status,
  make: change,
}) => {
  const { userId } = await make.user()
  await make.member({ communityId, userId, roles: ['community-moderator'] })
  await make.channelUser({ channelId, userId })
  const token = await one.tokenOf(userId)
  for (const process of [one, one, other, other]) expect((await process.call('GET', path, { token })).status).toBe(200)

  await change(userId)

  for (const process of [one, other]) expect((await process.call('GET', path, { token })).status).toBe(status)
})

test('less permission of an admin token’s role takes effect with the next request', async () => {
  const roleId = 'a-role-that-changes'
  await prisma.role.create({ data: { roleId, scope: 'network', rank: 10, permissions: ['VIEW_CHANNELS'] } })
  const token = await adminTokenOf(database, roleId)
  const { channelId: hidden } = await make.channel({ isPublic: false })
  const read = async () => (await one.call('GET', `/api/v3/channels/${hidden}`, { token })).status
  expect([await read(), await read()]).toEqual([200, 200])

  await prisma.role.update({ where: { roleId }, data: { permissions: ['VIEW_USERS'] } })

  expect(await read()).toBe(404)
})

test('a caller who lost the permission since their last act bans nobody', async () => {
  const { userId } = await make.user()
  await make.channelUser({ channelId, userId, roles: ['channel-moderator'] })
  const token = await one.tokenOf(userId)
  const [first, second] = [await make.channelUser({ channelId }), await make.channelUser({ channelId })]
  const ban = (victim: { userId: string }) =>
    one.call('PUT', `/api/v3/channels/${channelId}/users/ban`, { token, body: { userIds: [victim.userId] } })

  expect((await ban(first)).status).toBe(200)
  await prisma.user.update({ where: { userId }, data: { isGlobalBan: true } })

  expect((await ban(second)).status).toBe(401)
  expect(await prisma.audit.count({ where: { subjectId: second.userId } })).toBe(0)
})

async function signedInModerator() {
  const moderator = await one.staff({ roleId: 'community-moderator', communityId })
  const headers = { cookie: await one.signIn(moderator), origin: one.url }
  const readQueue = (input: object) =>
    one.call('GET', `/api/trpc/review.queue?input=${encodeURIComponent(JSON.stringify(input))}`, { headers })
  return { ...moderator, headers, readQueue }
}

test('a network role of a moderator takes effect with the next call from the desk', async () => {
  const { userId, readQueue } = await signedInModerator()
  const { communityId: elsewhere } = await make.heldComment()
  const seesElsewhere = async () => {
    const items: { community: { communityId: string } }[] = (await readQueue({})).body.result.data.items
    return items.some((item) => item.community.communityId === elsewhere)
  }
  const setRoles = (roles: string[]) => prisma.user.update({ where: { userId }, data: { roles } })
  expect([await seesElsewhere(), await seesElsewhere()]).toEqual([false, false])

  await setRoles(['global-admin'])
  expect(await seesElsewhere()).toBe(true)

  await setRoles([])
  expect(await seesElsewhere()).toBe(false)
})

interface Moderator {
  userId: string
  staffId: string
}

/** Each with the status of the moderator's next page of the queue. */
const CHANGES_AT_THE_DESK: { change: string; status: number; make: (who: Moderator) => Promise<unknown> }[] = [
  {
    change: 'an ended session',
    status: 401,
    make: ({ staffId }) => prisma.staffSession.deleteMany({ where: { userId: staffId } }),
  },
  {
    change: 'a disabled account',
    status: 401,
    make: ({ staffId }) => prisma.staffAccount.update({ where: { id: staffId }, data: { isDisabled: true } }),
  },
  {
    change: 'a ban from the network',
    status: 401,
    make: ({ userId }) => prisma.user.update({ where: { userId }, data: { isGlobalBan: true } }),
  },
  {
    change: 'a removed role',
    status: 403,
    make: ({ userId }) => prisma.communityUser.updateMany({ where: { userId, communityId }, data: { roles: [] } }),
  },
]

test.each(CHANGES_AT_THE_DESK)('$change takes effect with the next page of the queue', async ({
  status,
  make: change,
}) => {
  const { readQueue, ...moderator } = await signedInModerator()
  const read = async () => (await readQueue({ communityId })).status
  expect([await read(), await read()]).toEqual([200, 200])

  await change(moderator)

  expect(await read()).toBe(status)
})

test('a moderator’s new name takes effect with their next decision', async () => {
  const { staffId, headers } = await signedInModerator()
  const nameOnDecision = async () => {
    const { commentId } = await make.heldComment({ communityId })
    const subject = { subjectType: 'comment', subjectId: commentId }
    const body = { ...subject, outcome: 'approved', version: 1, clientKey: randomUUID() }
    expect((await one.call('POST', '/api/trpc/review.decide', { headers, body })).status).toBe(200)
    return (await prisma.decision.findFirstOrThrow({ where: { subjectId: commentId } })).decidedByName
  }
  const before = await nameOnDecision()
  expect([await nameOnDecision(), before]).toEqual([before, expect.not.stringMatching('Renamed')])

  await prisma.staffAccount.update({ where: { id: staffId }, data: { name: 'Renamed' } })

  expect(await nameOnDecision()).toBe('Renamed')
})

test('notes the last use of a token once a minute', async () => {
  const { userId } = await make.user()
  const token = await one.tokenOf(userId)
  const usesAfter = async (agoMs: number) => {
    const lastUsedAt = new Date(Date.now() - agoMs)
    await prisma.accessToken.updateMany({ where: { userId }, data: { lastUsedAt } })
    expect((await one.call('GET', `/api/v3/channels/${channelId}`, { token })).status).toBe(200)
    const noted = (await prisma.accessToken.findFirstOrThrow({ where: { userId } })).lastUsedAt
    return (noted?.getTime() ?? 0) > lastUsedAt.getTime()
  }
  expect(await usesAfter(3_600_000)).toBe(true)
  expect(await usesAfter(61_000)).toBe(true)
  expect(await usesAfter(30_000)).toBe(false)
})

/** Sends a write whose body arrives in two parts, and does something in between. */
function writeSlowly({ method, path, token, body }: SlowWrite, between: () => Promise<unknown>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const text = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': text.length,
  }
  const sending = request(`${one.url}${path}`, { method, headers }, (answer) => {
    answer.resume()
    resolve(answer.statusCode ?? 0)
  })
  sending.on('error', reject)
  sending.write(text.slice(0, 5), () => {
    between().then(() => sending.end(text.slice(5)), reject)
  })
  return promise
}

interface SlowWrite {
  method: string
  path: string
  token: string
  body: unknown
}

test('a token that is revoked while the body arrives changes nothing', async () => {
  const { userId } = await make.user()
  await make.channelUser({ channelId, userId, roles: ['channel-moderator'] })
  const token = await one.tokenOf(userId)
  const write = async () => {
    const victim = await make.channelUser({ channelId })
    return { method: 'PUT', path: `/api/v3/channels/${channelId}/users/ban`, token, body: { userIds: [victim.userId] } }
  }
  const [first, second] = [await write(), await write()]
  expect(await writeSlowly(first, async () => {})).toBe(200)

  const revoke = () => prisma.accessToken.updateMany({ where: { userId }, data: { revokedAt: new Date() } })
  expect(await writeSlowly(second, revoke)).toBe(401)
  expect(await prisma.audit.count({ where: { subjectId: { in: second.body.userIds } } })).toBe(0)
})

/** The statements of a decision after the look-up of its caller: one reads the item, the other decides. */
test.each([
  ['before its item is read', 1],
  ['after its item is read', 2],
])('a role that is taken away after the caller of a decision is looked up, %s, lets them decide nothing', async (_when, nth) => {
  const own = openDatabase({ url, connections: 4, onError: () => {} })
  whenOver(() => own.close())
  const api = await testApi(own)
  const { userId, staffId } = await api.staff({ roleId: 'community-moderator', communityId })
  const headers = { cookie: await api.signIn({ staffId }), origin: api.url }
  const decide = async () => {
    const { commentId } = await make.heldComment({ communityId })
    const subject = { subjectType: 'comment', subjectId: commentId }
    const body = { ...subject, outcome: 'approved', version: 1, clientKey: randomUUID() }
    const { status } = await api.call('POST', '/api/trpc/review.decide', { headers, body })
    return { status, decisions: await prisma.decision.count({ where: { subjectId: commentId } }) }
  }
  expect(await decide()).toEqual({ status: 200, decisions: 1 })

  let sent = 0
  beforeStatements(own.pool, () => {
    if (sent++ !== nth) return undefined
    return prisma.communityUser.updateMany({ where: { userId, communityId }, data: { roles: [] } }).then(() => {})
  })
  expect(await decide()).toEqual({ status: 404, decisions: 0 })
  expect(sent).toBeGreaterThan(nth)
})
