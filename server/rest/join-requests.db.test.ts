import { expect, test } from 'vitest'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const admin = await tokenOf()
const support = await adminTokenOf(database, 'support')

/** A community that approves its members, with a moderator. */
async function gated(over: { isPublic?: boolean; isDiscoverable?: boolean; requiresJoinApproval?: boolean } = {}) {
  const { communityId } = await make.community()
  await prisma.community.update({ where: { communityId }, data: { requiresJoinApproval: true, ...over } })
  const moderator = await make.reviewerOf(communityId)
  return { communityId, path: `/api/v4/communities/${communityId}/join`, moderator: await tokenOf(moderator.userId) }
}

async function person() {
  const { userId, internalId } = await make.user()
  return { userId, internalId, token: await tokenOf(userId) }
}

const codeOf = ({ status, body }: { status: number; body: { code?: number } }) => [status, body.code]
const membershipOf = async (communityId: string, userId: string) =>
  (await prisma.communityUser.findUnique({ where: { communityId_userId: { communityId, userId } } }))?.membership
const auditsOf = async (userId: string) =>
  (await prisma.audit.findMany({ where: { subjectId: userId }, orderBy: { auditId: 'asc' } })).map(
    ({ action }) => action,
  )

test('a request is pending once, is visible to those who add members, and is approved', async () => {
  const { communityId, path, moderator } = await gated()
  const { userId, internalId, token } = await person()
  const asked = await call('POST', path, { token })
  expect(asked).toMatchObject({
    status: 200,
    body: {
      joinRequests: [{ status: 'pending', userId, requestorInternalId: internalId, targetId: communityId }],
      communities: [{ communityId, isJoined: false }],
      communityUsers: [{ userId, communityMembership: 'none' }],
      users: expect.any(Array),
    },
  })
  const [{ joinRequestId }] = asked.body.joinRequests
  expect((await call('POST', path, { token })).body.joinRequests).toMatchObject([{ joinRequestId }])
  expect((await call('GET', path, { token: moderator })).body.joinRequests).toMatchObject([{ joinRequestId }])
  expect((await call('GET', `${path}/count`, { token: moderator })).body).toEqual({ count: 1 })
  expect(codeOf(await call('POST', `/api/v3/communities/${communityId}/join`, { token }))).toEqual([403, 400300])

  const approved = await call('POST', `${path}/approve`, { token: moderator, body: { userId: internalId } })
  expect(approved).toMatchObject({ status: 200, body: { success: true } })
  expect(await membershipOf(communityId, userId)).toBe('member')
  expect((await call('GET', `${path}/me`, { token })).body.joinRequests).toMatchObject([
    { status: 'approved', responderId: expect.any(String), respondedAt: expect.any(String) },
  ])
  expect((await call('GET', `${path}/count`, { token: moderator })).body).toEqual({ count: 0 })
  expect((await call('GET', `${path}?status=approved`, { token: moderator })).body.joinRequests).toHaveLength(1)
  expect(await auditsOf(userId)).toEqual(['community.joinRequested', 'community.userJoined', 'community.joinApproved'])
  const events = await prisma.event.findMany({ where: { subjectId: communityId }, orderBy: { eventId: 'asc' } })
  expect(events.map(({ name }) => name)).toEqual([
    'v3.communityJoinRequest.didCreate',
    'v3.community.didJoin',
    'v3.communityJoinRequest.didAccept',
  ])
})

test('rejected people may ask again, and a withdrawn request is no longer pending', async () => {
  const { communityId, path, moderator } = await gated()
  const { userId, token } = await person()
  await call('POST', path, { token })
  expect((await call('POST', `${path}/reject`, { token: moderator, body: { userId } })).status).toBe(200)
  expect(await call('POST', `${path}/approve`, { token: moderator, body: { userId } })).toMatchObject({
    status: 409,
    body: { code: 400409, data: { decision: 'rejected', decidedBy: expect.any(String) } },
  })
  expect((await call('POST', path, { token })).body.joinRequests).toMatchObject([{ status: 'pending' }])
  expect((await call('DELETE', path, { token })).body).toEqual({ success: true })
  expect(codeOf(await call('DELETE', path, { token }))).toEqual([409, 400409])
  expect(await membershipOf(communityId, userId)).toBe('none')
  expect(codeOf(await call('DELETE', path, { token: (await person()).token }))).toEqual([404, 400400])
})

test('a community without approval adds everyone who asks at once', async () => {
  const { communityId, path } = await gated({ requiresJoinApproval: false })
  const { userId, token } = await person()
  expect((await call('POST', path, { token })).body).toMatchObject({
    joinRequests: [{ status: 'approved' }],
    communityUsers: [{ communityMembership: 'member' }],
  })
  expect((await call('POST', path, { token })).body.joinRequests).toMatchObject([{ status: 'approved' }])
  expect(await prisma.joinRequest.count({ where: { communityId, userId } })).toBe(1)
})

test('strangers learn nothing of a private community, and nobody can ask to join an add-only one', async () => {
  const hidden = await gated({ isPublic: false })
  const found = await gated({ isPublic: false, isDiscoverable: true })
  const closed = await gated({ isPublic: false, isDiscoverable: true, requiresJoinApproval: false })
  const { token } = await person()
  for (const [method, path] of [
    ['POST', ''],
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/me'],
    ['GET', '/count'],
  ] as const) {
    expect([path, codeOf(await call(method, hidden.path + path, { token }))]).toEqual([path, [404, 400400]])
  }
  expect((await call('POST', found.path, { token })).status).toBe(200)
  expect(codeOf(await call('POST', closed.path, { token }))).toEqual([403, 400300])
})

test('users who add no members list and count their own requests only', async () => {
  const { communityId, path, moderator } = await gated()
  const [asking, other, member] = [await person(), await person(), await person()]
  await make.member({ communityId, userId: member.userId })
  for (const { token } of [asking, other]) await call('POST', path, { token })
  const listed = async (token: string) => {
    const [list, count] = [await call('GET', path, { token }), await call('GET', `${path}/count`, { token })]
    expect(count.body).toEqual({ count: list.body.joinRequests.length })
    return list.body.joinRequests.map(({ requestorPublicId }: { requestorPublicId: string }) => requestorPublicId)
  }
  expect(await listed(asking.token)).toEqual([asking.userId])
  expect(await listed(member.token)).toEqual([])
  expect((await listed(moderator)).sort()).toEqual([asking.userId, other.userId].sort())
})

test('only people who add members decide; nobody decides on their own request', async () => {
  const { communityId, path, moderator } = await gated()
  const { userId, token } = await person()
  const member = await person()
  await make.member({ communityId, userId: member.userId })
  await call('POST', path, { token })
  for (const caller of [token, member.token, support]) {
    for (const verb of ['approve', 'reject']) {
      expect(codeOf(await call('POST', `${path}/${verb}`, { token: caller, body: { userId } }))).toEqual([403, 400300])
    }
  }
  for (const unreadable of [path, `${path}/count`]) {
    expect(codeOf(await call('GET', unreadable, { token: support }))).toEqual([403, 400300])
  }
  expect(codeOf(await call('POST', path, { token: admin }))).toEqual([403, 400300])
  expect(codeOf(await call('POST', `${path}/approve`, { token: moderator, body: { userId: 'no-one' } }))).toEqual([
    404, 400400,
  ])
  expect(codeOf(await call('POST', `${path}/approve`, { token: moderator, body: { userId: member.userId } }))).toEqual([
    404, 400400,
  ])
  expect(codeOf(await call('POST', `${path}/approve`, { token: moderator, body: {} }))).toEqual([422, 500000])
  expect((await call('POST', `${path}/approve`, { token: admin, body: { userId } })).status).toBe(200)
})

test('banned people cannot ask, and a ban or being added closes a pending request', async () => {
  const { communityId, path, moderator } = await gated()
  const [banned, added] = [await person(), await person()]
  for (const { token } of [banned, added]) await call('POST', path, { token })
  const users = `/api/v3/communities/${communityId}/users`
  await call('PUT', `${users}/ban`, { token: moderator, body: { userIds: [banned.userId] } })
  await call('POST', users, { token: moderator, body: { userIds: [added.userId] } })
  expect((await call('GET', `${path}/me`, { token: banned.token })).body.joinRequests).toMatchObject([
    { status: 'rejected' },
  ])
  expect((await call('GET', `${path}/me`, { token: added.token })).body.joinRequests).toMatchObject([
    { status: 'approved' },
  ])
  expect(codeOf(await call('POST', path, { token: banned.token }))).toEqual([403, 400304])
  expect(codeOf(await call('POST', `${path}/approve`, { token: moderator, body: { userId: banned.userId } }))).toEqual([
    409, 400409,
  ])
})

test('asked, approved, rejected, withdrawn and banned at once, a request ends in one state that fits the membership', async () => {
  const { communityId, path, moderator } = await gated()
  const people = await Promise.all(Array.from({ length: 12 }, person))
  for (const { token } of people) await call('POST', path, { token })
  const ban = `/api/v3/communities/${communityId}/users/ban`
  await Promise.all(
    people.flatMap(({ userId, token }, index) => [
      call('POST', `${path}/approve`, { token: moderator, body: { userId } }),
      call('DELETE', path, { token }),
      ...(index % 2 === 0 ? [call('PUT', ban, { token: moderator, body: { userIds: [userId] } })] : []),
      ...(index % 3 === 0 ? [call('POST', `${path}/reject`, { token: moderator, body: { userId } })] : []),
    ]),
  )
  let members = 0
  for (const [index, { userId }] of people.entries()) {
    const requests = await prisma.joinRequest.findMany({ where: { communityId, userId } })
    const [membership, audits] = [await membershipOf(communityId, userId), await auditsOf(userId)]
    const times = (action: string) => audits.filter((one) => one === `community.${action}`).length
    expect(requests).toHaveLength(1)
    const status = requests[0]?.status
    expect(['approved', 'rejected', 'cancelled']).toContain(status)
    expect([status === 'approved', times('joinApproved'), times('userJoined')]).toEqual([
      times('joinApproved') === 1,
      times('userJoined'),
      times('joinApproved'),
    ])
    expect(times('joinApproved') + times('joinRejected') + times('joinCancelled')).toBeLessThanOrEqual(1)
    const unlessBanned = status === 'approved' ? 'member' : 'none'
    expect(membership).toBe(index % 2 === 0 ? 'banned' : unlessBanned)
    if (membership === 'member') members += 1
  }
  const { body } = await call('GET', `/api/v3/communities/${communityId}`, { token: moderator })
  expect(body.communities).toMatchObject([{ membersCount: members }])
})

test('ten concurrent requests of one person create one pending request', async () => {
  const { communityId, path } = await gated()
  const { token, userId } = await person()
  const answers = await Promise.all(Array.from({ length: 10 }, () => call('POST', path, { token })))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await prisma.joinRequest.count({ where: { communityId, userId } })).toBe(1)
})

test('a page of requests leads to the next and back', async () => {
  const { path, moderator } = await gated()
  for (let index = 0; index < 5; index += 1) await call('POST', path, { token: (await person()).token })
  const page = async (token?: string) =>
    (
      await call('GET', `${path}?options[limit]=2${token ? `&options[token]=${encodeURIComponent(token)}` : ''}`, {
        token: moderator,
      })
    ).body
  const first = await page()
  const second = await page(first.paging.next)
  const third = await page(second.paging.next)
  const ids = [first, second, third].map(({ joinRequests }) =>
    joinRequests.map((one: { userId: string }) => one.userId),
  )
  expect(ids.map((one) => one.length)).toEqual([2, 2, 1])
  expect(new Set(ids.flat()).size).toBe(5)
  expect(third.paging).not.toHaveProperty('next')
  expect((await page(third.paging.prev)).joinRequests).toEqual(second.joinRequests)
})
