import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'

const { database, url } = await testDatabase()
const make = { ...factoriesOf(database), ...channelFactoriesOf(database) }

const { communityId, commentId } = await make.heldComment()
const { postId } = await make.post({ communityId })
await make.heldComment({ communityId, referenceId: postId, approvalStatus: 'approved' })
const { channelId } = await make.channel({ displayName: 'Quokka channel', isPublic: true })
const { userId } = await make.user()
await make.member({ communityId, userId, roles: ['community-moderator'] })
await make.channelUser({ channelId, userId, roles: ['channel-moderator'] })
await make.message({ channelId, data: { text: 'A quokka said this' } })

/** A process of its own, which remembers callers of its own. */
async function aProcess() {
  const own = openDatabase({ url, connections: 4, onError: () => {} })
  const recorded = recordStatements(own.pool)
  const api = await testApi(own)
  onTestFinished(() => own.close())
  return { ...api, recorded }
}

/** One statement more in any of these is a round trip more for each of its requests. */
const READS: [statements: number, path: string][] = [
  [1, `/api/v3/communities/${communityId}/comments/review-queue`],
  [2, '/api/v2/search/messages?query=quokka'],
  [2, '/api/v2/search/messages?query=quokka&options[sortBy]=relevance'],
  [1, `/api/v3/channels/${channelId}/users`],
  [1, `/api/v4/channels/${channelId}/users`],
  [1, `/api/v3/channels/${channelId}`],
  [1, `/api/v3/channels/list?channelIds=${channelId}`],
  [1, '/api/v3/channels'],
  [2, '/api/v2/search/channels?query=quokka'],
  [2, `/api/v3/communities/${communityId}/users`],
  [2, `/api/v3/communities/${communityId}`],
  [2, '/api/v3/communities'],
  [2, `/api/v3/comments?referenceType=post&referenceId=${postId}`],
  [1, `/api/v3/comments/${commentId}`],
]

test.each(READS)('%i statements answer %s, warm', async (statements, path) => {
  const { tokenOf, call, recorded } = await aProcess()
  for (const token of [await tokenOf(userId), await tokenOf()]) {
    expect((await call('GET', path, { token })).status).toBe(200)
    recorded.clear()
    expect((await call('GET', path, { token })).status).toBe(200)
    expect(recorded.all).toHaveLength(statements)
  }
})

const DESK_READS: [statements: number, procedure: string, input?: unknown][] = [
  [1, 'review.queue', { communityId }],
  [1, 'review.queue', {}],
  [1, 'channels.list', {}],
  [2, 'communities.list', {}],
  [2, 'members.list', { space: { scope: 'channel', channelId } }],
  [2, 'members.list', { space: { scope: 'community', communityId } }],
  [2, 'users.newest', {}],
  [1, 'users.find', { query: 'some one' }],
  // An empty list costs a statement more.
  [2, 'users.content', { userId }],
  [2, 'users.decisionsAbout', { userId }],
  [1, 'audit.list', {}],
]

test.each(DESK_READS)('%i statements answer the desk’s %s, warm', async (statements, procedure, input) => {
  const { staff, signIn, call, recorded } = await aProcess()
  const cookie = await signIn(await staff({ roleId: 'global-admin' }))
  const path = `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`
  const read = () => call('GET', path, { headers: { cookie } })
  expect(await read()).toMatchObject({ status: 200 })

  recorded.clear()
  expect((await read()).status).toBe(200)

  expect(recorded.all).toHaveLength(statements)
})

test.each([
  ['/api/v3/channels?filter=member', 1],
  ['/api/v2/search/messages?query=axolotl', 2],
  ['/api/v2/search/channels?query=axolotl', 2],
  ['/api/v3/communities?tags=axolotl', 3],
])('an empty answer to %s takes at most %i statements, warm', async (path, statements) => {
  const { tokenOf, call, recorded } = await aProcess()
  const token = await tokenOf((await make.user()).userId)
  await call('GET', path, { token })
  recorded.clear()

  expect((await call('GET', path, { token })).status).toBe(200)

  expect(recorded.all.length).toBeLessThanOrEqual(statements)
})

const newestToken = async () =>
  (await database.prisma.accessToken.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })).tokenId

/** Each with the status of the next request, on a route whose statements check their actor. */
const CHANGES: {
  change: string
  path: string
  status: number
  make: (who: { userId: string; tokenId: string }) => Promise<unknown>
}[] = [
  {
    change: 'a revoked token',
    path: `/api/v3/channels/${channelId}`,
    status: 401,
    make: ({ tokenId }) => database.prisma.accessToken.update({ where: { tokenId }, data: { revokedAt: new Date() } }),
  },
  {
    change: 'a ban from the network',
    path: '/api/v2/search/messages?query=quokka',
    status: 401,
    make: (who) => database.prisma.user.update({ where: { userId: who.userId }, data: { isGlobalBan: true } }),
  },
  {
    change: 'a removed role',
    path: `/api/v3/communities/${communityId}/comments/review-queue`,
    status: 403,
    make: (who) =>
      database.prisma.communityUser.updateMany({ where: { userId: who.userId, communityId }, data: { roles: [] } }),
  },
]

test.each(CHANGES)('$change takes effect with the next request, in every process', async ({
  path,
  status,
  make: act,
}) => {
  const [one, other] = [await aProcess(), await aProcess()]
  const { userId: changed } = await make.user()
  await make.member({ communityId, userId: changed, roles: ['community-moderator'] })
  await make.channelUser({ channelId, userId: changed })
  const token = await one.tokenOf(changed)
  const tokenId = await newestToken()
  for (const process of [one, one, other, other]) expect((await process.call('GET', path, { token })).status).toBe(200)

  await act({ userId: changed, tokenId })

  for (const process of [one, other]) expect((await process.call('GET', path, { token })).status).toBe(status)
})

test('less permission of an admin token’s role takes effect with the next request', async () => {
  const process = await aProcess()
  const roleId = 'a-role-for-statements'
  await database.prisma.role.create({ data: { roleId, scope: 'network', rank: 10, permissions: ['VIEW_CHANNELS'] } })
  const token = await adminTokenOf(database, roleId)
  const { channelId: hidden } = await make.channel({ isPublic: false })
  const read = async () => (await process.call('GET', `/api/v3/channels/${hidden}`, { token })).status
  expect([await read(), await read()]).toEqual([200, 200])

  await database.prisma.role.update({ where: { roleId }, data: { permissions: ['VIEW_USERS'] } })

  expect(await read()).toBe(404)
})

test('a network role of a moderator takes effect with the next call from the desk', async () => {
  const { staff, signIn, call, recorded } = await aProcess()
  const moderator = await staff({ roleId: 'community-moderator', communityId })
  const cookie = await signIn(moderator)
  const { communityId: elsewhere } = await make.heldComment()
  const seesElsewhere = async () => {
    const { body } = await call('GET', `/api/trpc/review.queue?input=${encodeURIComponent('{}')}`, {
      headers: { cookie },
    })
    const items: { community: { communityId: string } }[] = body.result.data.items
    return items.some(({ community }) => community.communityId === elsewhere)
  }
  const setRoles = (roles: string[]) =>
    database.prisma.user.update({ where: { userId: moderator.userId }, data: { roles } })
  expect(await seesElsewhere()).toBe(false)
  recorded.clear()
  expect(await seesElsewhere()).toBe(false)
  expect(recorded.all).toHaveLength(1)

  await setRoles(['global-admin'])
  expect(await seesElsewhere()).toBe(true)

  await setRoles([])
  expect(await seesElsewhere()).toBe(false)
})

const QUEUE = `/api/trpc/review.queue?input=${encodeURIComponent(JSON.stringify({ communityId }))}`

interface Moderator {
  userId: string
  staffId: string
}

/** Each with the status of the moderator's next page of the queue. */
const CHANGES_AT_THE_DESK: { change: string; status: number; make: (who: Moderator) => Promise<unknown> }[] = [
  {
    change: 'an ended session',
    status: 401,
    make: ({ staffId }) => database.prisma.staffSession.deleteMany({ where: { userId: staffId } }),
  },
  {
    change: 'a disabled account',
    status: 401,
    make: ({ staffId }) => database.prisma.staffAccount.update({ where: { id: staffId }, data: { isDisabled: true } }),
  },
  {
    change: 'a ban from the network',
    status: 401,
    make: ({ userId }) => database.prisma.user.update({ where: { userId }, data: { isGlobalBan: true } }),
  },
  {
    change: 'a removed role',
    status: 403,
    make: ({ userId }) =>
      database.prisma.communityUser.updateMany({ where: { userId, communityId }, data: { roles: [] } }),
  },
]

test.each(CHANGES_AT_THE_DESK)('$change takes effect with the next page of the queue', async ({
  status,
  make: act,
}) => {
  const { staff, signIn, call } = await aProcess()
  const moderator = await staff({ roleId: 'community-moderator', communityId })
  const cookie = await signIn(moderator)
  const read = async () => (await call('GET', QUEUE, { headers: { cookie } })).status
  expect([await read(), await read()]).toEqual([200, 200])

  await act(moderator)

  expect(await read()).toBe(status)
})

test('looks up a moderator whose name has changed with their next call', async () => {
  const { staff, signIn, call, recorded } = await aProcess()
  const moderator = await staff({ roleId: 'community-moderator', communityId })
  const cookie = await signIn(moderator)
  const countStatements = async () => {
    recorded.clear()
    expect((await call('GET', QUEUE, { headers: { cookie } })).status).toBe(200)
    return recorded.all.length
  }
  await countStatements()
  expect(await countStatements()).toBe(1)

  await database.prisma.staffAccount.update({ where: { id: moderator.staffId }, data: { name: 'Renamed' } })

  expect(await countStatements()).toBeGreaterThan(1)
  expect(await countStatements()).toBe(1)
})

test('notes the last use of a token once a minute', async () => {
  const { tokenOf, call, recorded } = await aProcess()
  const token = await tokenOf(userId)
  const tokenId = await newestToken()
  const read = () => call('GET', `/api/v3/channels/${channelId}`, { token })
  const lastUse = async () => (await database.prisma.accessToken.findUniqueOrThrow({ where: { tokenId } })).lastUsedAt
  await read()
  const first = await lastUse()
  expect(first).not.toBeNull()

  const anHourAgo = new Date(Date.now() - 3_600_000)
  await database.prisma.accessToken.update({ where: { tokenId }, data: { lastUsedAt: anHourAgo } })
  recorded.clear()
  await read()
  expect(recorded.all).toHaveLength(1)
  expect(await lastUse()).toEqual(anHourAgo)

  const realNow = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + 61_000)
  onTestFinished(() => clock.mockRestore())
  await read()
  expect((await lastUse())?.getTime()).toBeGreaterThan(anHourAgo.getTime())
})
