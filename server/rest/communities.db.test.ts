import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { foldDeltas } from '#server/modules/ledger/counts/fold-deltas.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const admin = await tokenOf()
const [support, moderator] = await Promise.all([adminTokenOf(database, 'support'), adminTokenOf(database, 'moderator')])

const forbidden = { status: 403, body: { code: 400300, message: 'Forbidden error.' } }
const notFound = { status: 404, body: { code: 400400 } }
const invalid = { status: 422, body: { code: 500000, message: 'Parameters validation error' } }
const failure = (code: number) => ({ status: 403, body: { code } })

async function person(over: Parameters<typeof make.user>[0] = {}) {
  const { userId } = await make.user(over)
  return { userId, token: await tokenOf(userId) }
}

/** A community created over the interface by its owner. */
async function space(over: Record<string, unknown> = {}) {
  const lead = await person()
  const { body } = await call('POST', '/api/v3/communities', {
    token: lead.token,
    body: { displayName: `Place ${randomUUID()}`, ...over },
  })
  const communityId: string = body.communities[0].communityId
  const at = (path: string) => `/api/v3/communities/${communityId}${path}`
  const join = async (who: { token: string }) => call('POST', at('/join'), who)
  const member = async () => {
    const who = await person()
    await call('POST', at('/users'), { token: admin, body: { userIds: [who.userId] } })
    return who
  }
  const peer = async () => {
    const { userId } = await make.reviewerOf(communityId)
    return { userId, token: await tokenOf(userId) }
  }
  return { communityId, lead, at, join, member, peer }
}

/** The database's recount, compared with the answer. */
async function expectExactCounts(communityId: string) {
  const isMember = { communityId, membership: 'member' as const, isDeleted: false }
  const counts = {
    membersCount: await database.prisma.communityUser.count({ where: isMember }),
    moderatorMemberCount: await database.prisma.communityUser.count({
      where: { ...isMember, roles: { has: 'community-moderator' } },
    }),
  }
  const read = async () => (await call('GET', `/api/v3/communities/${communityId}`, { token: admin })).body.communities
  expect(await read()).toMatchObject([counts])
  await foldDeltas(systemCtx(database))
  expect(await read()).toMatchObject([counts])
}

const auditsOf = async (userId: string) =>
  (
    await database.prisma.audit.findMany({
      where: { subjectId: userId, subjectType: 'user', action: { startsWith: 'community.' } },
      orderBy: { auditId: 'asc' },
    })
  ).map(({ action }) => action)

describe('endpoint 3', () => {
  const post = (at: string, body: unknown, credentials: { token?: string; headers?: Record<string, string> }) =>
    call('POST', at, { ...credentials, body })

  test('gives members a role and answers the whole envelope', async () => {
    const { communityId, lead, at, member } = await space()
    const [one, two] = [await member(), await member()]
    const body = { role: 'community-moderator', userIds: [two.userId, one.userId, two.userId] }
    const { status, body: answer } = await post(at('/users/roles'), body, { token: lead.token })
    expect(status).toBe(200)
    expect(Object.keys(answer).sort()).toEqual(
      ['categories', 'communities', 'communityUsers', 'feeds', 'files', 'roles', 'users'].sort(),
    )
    expect(answer.communities).toMatchObject([
      { communityId, membersCount: 3, moderatorMemberCount: 3, isJoined: true },
    ])
    const given = answer.communityUsers.map((member: { userId: string; roles: string[] }) => [
      member.userId,
      member.roles,
    ])
    expect(Object.fromEntries(given)).toEqual({
      [one.userId]: ['community-moderator'],
      [two.userId]: ['community-moderator'],
    })
    expect(answer.communityUsers[0].permissions).toContain('REVIEW_COMMUNITY_COMMENT')
    expect(answer.roles).toMatchObject([{ roleId: 'community-moderator' }])
    expect(answer.users.map((user: { userId: string }) => user.userId)).toContain(one.userId)
    expect(await auditsOf(one.userId)).toEqual(['community.userAdded', 'community.rolesChanged'])
    const event = await database.prisma.event.findFirstOrThrow({ orderBy: { eventId: 'desc' } })
    expect(event).toMatchObject({
      name: 'v3.community.didRoleChange',
      communityId,
      payload: { communities: [{ communityId }] },
    })
    await expectExactCounts(communityId)
  })

  test('requires the permission there, people of lower rank, and community roles', async () => {
    const { communityId, lead, at, member, peer } = await space()
    const { userId, token } = await member()
    const give = (userIds: string[], credentials: { token: string }, role = 'community-moderator') =>
      post(at('/users/roles'), { role, userIds }, credentials)
    expect(await give([userId], { token })).toMatchObject(forbidden)
    expect(await give([userId], await person())).toMatchObject(forbidden)
    expect(await give([userId], (await space()).lead)).toMatchObject(forbidden)
    expect(await give([userId], { token: support ?? '' })).toMatchObject(forbidden)
    expect(await give([userId], { token: moderator ?? '' })).toMatchObject({ status: 200 })
    // Giving a role that someone already holds changes nothing, whatever their rank.
    expect(await give([lead.userId], lead)).toMatchObject({ status: 200 })
    expect(await give([userId], await peer())).toMatchObject({ status: 200 })
    expect(await auditsOf(userId)).toEqual(['community.userAdded', 'community.rolesChanged'])
    expect(await give([(await person()).userId], lead)).toMatchObject(notFound)

    const other = await member()
    await database.prisma.role.createMany({
      data: [
        { roleId: 'above', scope: 'community', rank: 300, permissions: ['EDIT_COMMUNITY'] },
        { roleId: 'broader', scope: 'community', rank: 100, permissions: ['EDIT_COMMUNITY', 'BAN_USER'] },
        { roleId: 'below', scope: 'community', rank: 100, permissions: ['EDIT_COMMUNITY'] },
      ],
    })
    for (const role of ['global-admin', 'support', 'channel-moderator', 'above', 'broader']) {
      expect(await give([other.userId], lead, role)).toMatchObject(forbidden)
    }
    expect((await give([other.userId], lead, 'below')).status).toBe(200)
    expect(await give([userId], await peer(), 'below')).toMatchObject(forbidden)
    expect(await give([lead.userId], lead, 'below')).toMatchObject(forbidden)
    const networkModerator = await person({ roles: ['moderator'] })
    await make.member({ communityId, userId: networkModerator.userId })
    expect(await give([networkModerator.userId, other.userId], lead)).toMatchObject(forbidden)
    await database.prisma.communityUser.update({
      where: { communityId_userId: { communityId, userId: other.userId } },
      data: { membership: 'banned' },
    })
    expect(await give([other.userId], lead)).toMatchObject(failure(400304))
  })

  test('takes the moderator role of the community’s channel with that of the community, and gives only the latter', async () => {
    const { communityId, lead, member } = await space()
    const one = await member()
    const both = { roles: ['community-moderator', 'channel-moderator'], userIds: [one.userId] }
    const path = `/api/v4/communities/${communityId}/users/roles`

    const added = await post(path, both, { token: lead.token })
    expect([added.status, added.body.communityUsers]).toMatchObject([200, [{ roles: ['community-moderator'] }]])
    const removed = await call('DELETE', path, { token: lead.token, body: both })
    expect([removed.status, removed.body.communityUsers]).toMatchObject([200, [{ userId: one.userId, roles: [] }]])

    const alone = { roles: ['channel-moderator'], userIds: [one.userId] }
    expect(await post(path, alone, { token: lead.token })).toMatchObject(forbidden)
    const beside = { ...both, roles: [...both.roles, 'global-admin'] }
    expect(await post(path, beside, { token: lead.token })).toMatchObject(forbidden)
    await expectExactCounts(communityId)
  })

  test('removes roles by body or query, several at once over v4, and keeps one moderator', async () => {
    const { at, communityId, lead, member } = await space()
    const [one, two] = [await member(), await member()]
    const several = `/api/v4/communities/${communityId}/users/roles`
    const added = await post(
      several,
      { roles: ['community-moderator', 'below'], userIds: [one.userId] },
      { token: admin },
    )
    expect(added.body.communityUsers).toMatchObject([{ roles: ['community-moderator', 'below'] }])
    expect(
      (await call('DELETE', several, { token: admin, body: { roles: ['below'], userIds: [one.userId] } })).body
        .communityUsers,
    ).toMatchObject([{ roles: ['community-moderator'] }])
    expect(
      await call('DELETE', at('/users/roles'), {
        token: one.token,
        body: { role: 'community-moderator', userIds: [lead.userId] },
      }),
    ).toMatchObject(forbidden)
    const query = `?role=community-moderator&userIds[]=${one.userId}`
    expect((await call('DELETE', at(`/users/roles${query}`), { token: admin })).body.communityUsers).toMatchObject([
      { userId: one.userId, roles: [] },
    ])
    expect((await call('DELETE', at(`/users/roles?role=below&userIds=${two.userId}`), { token: admin })).status).toBe(
      200,
    )
    expect(
      await call('DELETE', at('/users/roles'), {
        token: admin,
        body: { role: 'community-moderator', userIds: [lead.userId] },
      }),
    ).toMatchObject(forbidden)
    expect(await call('DELETE', at('/users/roles'), { token: admin })).toMatchObject(invalid)
    expect(await call('DELETE', several, { token: admin, body: { roles: [], userIds: [one.userId] } })).toMatchObject(
      invalid,
    )
    await expectExactCounts(communityId)
  })
})

describe('mute', () => {
  test('mutes for a time or without an end, ends with 0, and answers the members; muted members read but don’t write', async () => {
    const { communityId, lead, at, member } = await space()
    const who = await member()
    const mute = (mutePeriod: number) =>
      call('PUT', at('/users/mute'), { token: lead.token, body: { userIds: [who.userId], mutePeriod } })
    const post = () =>
      call('POST', '/api/v3/posts', {
        token: who.token,
        body: { targetType: 'community', targetId: communityId, data: { text: 'hello' } },
      })
    const { postId } = (await post()).body.posts[0]
    const comment = { referenceType: 'post', referenceId: postId, data: { text: 'me too' } }
    const [{ commentId }] = (await call('POST', '/api/v3/comments', { token: who.token, body: comment })).body.comments
    const writes = () =>
      Promise.all([
        post(),
        call('PUT', `/api/v3/posts/${postId}`, { token: who.token, body: { data: { text: 'changed' } } }),
        call('POST', '/api/v3/comments', { token: who.token, body: comment }),
        call('POST', '/api/v3/comments', { token: who.token, body: { ...comment, parentId: commentId } }),
        call('PUT', `/api/v3/comments/${commentId}`, { token: who.token, body: { data: { text: 'changed' } } }),
      ])

    const { body, status } = await mute(60_000)
    const [{ muteTimeout }] = body.communityUsers
    expect([status, body.communityUsers]).toMatchObject([200, [{ userId: who.userId, communityMembership: 'member' }]])
    expect(Date.parse(muteTimeout)).toBeGreaterThan(Date.now() + 50_000)
    for (const refused of await writes())
      expect(refused).toMatchObject({ status: 403, body: { code: 400302, data: { mutedUntil: muteTimeout } } })
    expect((await call('GET', `/api/v3/posts/${postId}`, { token: who.token })).status).toBe(200)
    expect((await call('POST', `/api/v3/posts/${postId}/flag`, { token: lead.token })).status).toBe(200)
    const own = { targetType: 'user', targetId: who.userId, data: { text: 'at home' } }
    expect((await call('POST', '/api/v3/posts', { token: who.token, body: own })).status).toBe(200)

    await mute(-1)
    const [refused] = await writes()
    expect(refused).toMatchObject({ status: 403, body: { code: 400302 } })
    expect(refused?.body).not.toHaveProperty('data')
    expect((await call('DELETE', at('/leave'), { token: who.token })).status).toBe(200)
    expect((await call('POST', at('/join'), { token: who.token })).status).toBe(200)
    expect(await post()).toMatchObject(failure(400302))

    expect((await mute(0)).body.communityUsers).toMatchObject([{ userId: who.userId }])
    expect((await mute(0)).body.communityUsers[0]).not.toHaveProperty('muteTimeout')
    for (const { status } of await writes()) expect(status).toBe(200)
    expect(await auditsOf(who.userId)).toEqual(
      expect.arrayContaining(['community.userMuted', 'community.userMuted', 'community.userUnmuted']),
    )
  })

  test('all or nobody: rejects strangers, the banned, oneself, equals, unknown communities and invalid periods', async () => {
    const { lead, at, member, peer } = await space()
    const [who, banned, stranger, equal] = [await member(), await member(), await person(), await peer()]
    await call('PUT', at('/users/ban'), { token: lead.token, body: { userIds: [banned.userId] } })
    const mute = (userIds: string[], mutePeriod: unknown = 60_000, { token } = equal) =>
      call('PUT', at('/users/mute'), { token, body: { userIds, mutePeriod } })

    expect(await mute([who.userId, stranger.userId])).toMatchObject(notFound)
    expect(await mute([who.userId, banned.userId])).toMatchObject(failure(400304))
    expect(await mute([who.userId, equal.userId])).toMatchObject(forbidden)
    expect(await mute([who.userId, lead.userId])).toMatchObject(forbidden)
    expect(await mute([lead.userId], 60_000, lead)).toMatchObject(forbidden)
    expect(await mute([equal.userId], 60_000, who)).toMatchObject(forbidden)
    for (const period of [-2, 1.5, '5', null, 1e17]) expect(await mute([who.userId], period)).toMatchObject(invalid)
    expect(
      await call('PUT', '/api/v3/communities/none/users/mute', {
        token: admin,
        body: { userIds: [who.userId], mutePeriod: 1 },
      }),
    ).toMatchObject(notFound)
    expect(await database.prisma.mute.count({ where: { userId: who.userId } })).toBe(0)
  })

  test('of concurrent mutes one is in force, with a log row for each', async () => {
    const { communityId, lead, at, member } = await space()
    const who = await member()
    const periods = [60_000, 120_000, 180_000, 240_000]
    const answers = await Promise.all(
      periods.map((mutePeriod) =>
        call('PUT', at('/users/mute'), { token: lead.token, body: { userIds: [who.userId], mutePeriod } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const records = await database.prisma.mute.findMany({ where: { communityId, userId: who.userId } })
    const inForce = records.filter(({ liftedAt }) => liftedAt === null)
    expect([records.length, inForce.length]).toEqual([4, 1])
    expect(await database.prisma.communityUser.findFirst({ where: { communityId, userId: who.userId } })).toMatchObject(
      { muteTimeout: inForce[0]?.endsAt },
    )
  })
})

describe('ban and unban', () => {
  test('a ban ends membership and roles and blocks joining; an unban allows joining again', async () => {
    const { at, lead, join, member, communityId } = await space()
    const who = await member()
    await call('POST', at('/users/roles'), { token: admin, body: { role: 'below', userIds: [who.userId] } })
    const put = (verb: string, token = lead.token) =>
      call('PUT', at(`/users/${verb}`), { token, body: { userIds: [who.userId] } })

    expect((await put('ban')).body.communityUsers).toMatchObject([
      { userId: who.userId, communityMembership: 'banned', isBanned: true, roles: [], notMemberReason: 'banned' },
    ])
    expect(await put('ban')).toMatchObject(failure(400304))
    expect(await join(who)).toMatchObject(failure(400304))
    expect(await call('DELETE', at('/leave'), who)).toMatchObject(failure(400304))
    expect(await call('POST', at('/users'), { token: lead.token, body: { userIds: [who.userId] } })).toMatchObject(
      failure(400304),
    )
    expect((await put('unban')).body.communityUsers).toMatchObject([{ communityMembership: 'none', isBanned: false }])
    expect(await put('unban')).toMatchObject(failure(400316))
    expect((await join(who)).body.communityUsers).toMatchObject([
      { userId: who.userId, communityMembership: 'member', roles: [] },
    ])
    expect(await auditsOf(who.userId)).toEqual([
      'community.userAdded',
      'community.rolesChanged',
      'community.userBanned',
      'community.userUnbanned',
      'community.userJoined',
    ])
    expect(await database.prisma.ban.findMany({ where: { userId: who.userId } })).toMatchObject([
      { scope: 'community', communityId, bannedBy: lead.userId, liftedBy: lead.userId },
    ])
    await expectExactCounts(communityId)
  })

  test('only reaches people of lower rank, all or none, and needs the permission', async () => {
    const { at, lead, member, peer } = await space()
    const [who, other] = [await member(), await member()]
    const ban = (userIds: string[], token: string) => call('PUT', at('/users/ban'), { token, body: { userIds } })
    expect(await ban([other.userId], who.token)).toMatchObject(forbidden)
    expect(await ban([other.userId], support ?? '')).toMatchObject(forbidden)
    expect(await ban([lead.userId], lead.token)).toMatchObject(failure(400306))
    const [one, two] = [await peer(), await peer()]
    expect(await ban([who.userId, two.userId], one.token)).toMatchObject(failure(400306))
    expect(await ban([lead.userId], one.token)).toMatchObject(failure(400306))
    expect(await ban([who.userId, 'no-one'], lead.token)).toMatchObject(notFound)
    expect(await auditsOf(who.userId)).toEqual(['community.userAdded'])
    expect((await ban([lead.userId, who.userId], moderator ?? '')).status).toBe(200)
  })
})

describe('members', () => {
  test('are added, removed, and removed again without a trace; removal clears a ban', async () => {
    const { at, lead, communityId } = await space()
    const [one, two] = [await person(), await person()]
    const body = { userIds: [one.userId, two.userId] }
    expect(await call('POST', at('/users'), { token: one.token, body })).toMatchObject(forbidden)
    expect(await call('POST', at('/users'), { token: lead.token, body: { userIds: ['no-one'] } })).toMatchObject(
      notFound,
    )
    expect((await call('POST', at('/users'), { token: lead.token, body })).body.communityUsers).toHaveLength(2)
    expect((await call('POST', at('/users'), { token: lead.token, body })).body.communityUsers).toMatchObject([
      { communityMembership: 'member' },
      { communityMembership: 'member' },
    ])
    expect(await auditsOf(one.userId)).toEqual(['community.userAdded'])
    expect(await call('DELETE', at('/users'), { token: one.token, body: { userIds: [two.userId] } })).toMatchObject(
      forbidden,
    )
    expect(await call('DELETE', at('/users'), { token: lead.token, body: { userIds: [lead.userId] } })).toMatchObject(
      forbidden,
    )
    await call('PUT', at('/users/ban'), { token: lead.token, body: { userIds: [two.userId] } })
    for (let round = 0; round < 2; round += 1) {
      expect((await call('DELETE', at('/users'), { token: lead.token, body })).body.communityUsers).toMatchObject([
        { communityMembership: 'none' },
        { communityMembership: 'none' },
      ])
    }
    expect(await auditsOf(two.userId)).toEqual(['community.userAdded', 'community.userBanned', 'community.userRemoved'])
    expect(await database.prisma.ban.count({ where: { userId: two.userId, liftedAt: null } })).toBe(0)
    await expectExactCounts(communityId)
  })

  test('join and leave are idempotent, private communities require being added, and the last moderator stays', async () => {
    const { at, join, lead } = await space()
    const who = await person()
    expect((await join(who)).body.communities).toMatchObject([{ isJoined: true, membersCount: 2 }])
    expect((await join(who)).body.communities).toMatchObject([{ isJoined: true, membersCount: 2 }])
    expect((await call('DELETE', at('/leave'), who)).body.communities).toMatchObject([
      { isJoined: false, membersCount: 1 },
    ])
    expect((await call('DELETE', at('/leave'), who)).status).toBe(200)
    expect(await call('DELETE', at('/leave'), lead)).toMatchObject(forbidden)
    expect(await auditsOf(who.userId)).toEqual(['community.userJoined', 'community.userLeft'])
    expect(await join({ token: admin })).toMatchObject(forbidden)

    const hidden = await space({ isPublic: false })
    expect(await hidden.join(who)).toMatchObject(notFound)
    expect(await (await space({ isPublic: false, isDiscoverable: true })).join(who)).toMatchObject(forbidden)
    expect(await (await space({ requiresJoinApproval: true })).join(who)).toMatchObject(forbidden)
  })

  test('of two moderators who leave at once, one stays', async () => {
    const { at, lead, member, communityId } = await space()
    const other = await member()
    await call('POST', at('/users/roles'), {
      token: admin,
      body: { role: 'community-moderator', userIds: [other.userId] },
    })
    const answers = await Promise.all([call('DELETE', at('/leave'), lead), call('DELETE', at('/leave'), other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    await expectExactCounts(communityId)
  })

  test('are listed by membership, role and name, in each order and page; strangers only see public ones', async () => {
    const { at, lead, communityId } = await space()
    const mark = randomUUID()
    const made: string[] = []
    for (const [index, displayName] of ['b', 'A', 'c', 'd%'].entries()) {
      const { userId } = await make.user({ displayName: `${mark} ${displayName}` })
      await database.prisma.communityUser.create({
        data: {
          communityId,
          userId,
          membership: index === 2 ? 'banned' : 'member',
          createdAt: new Date(Date.UTC(2025, 0, index)),
        },
      })
      made.push(userId)
    }
    const [b, a, c, d] = made
    const stranger = await person()
    const list = async (query: string) => (await call('GET', at(`/users?${query}`), stranger)).body
    const ids = async (query: string) =>
      (await list(query)).communityUsers.map((user: { userId: string }) => user.userId)
    expect(await ids('')).toEqual([lead.userId, d, a, b])
    expect(await ids('sortBy=firstCreated')).toEqual([b, a, d, lead.userId])
    expect(await ids(`sortBy=displayName&search=${mark}`)).toEqual([a, b, d])
    expect(await ids(`search=${encodeURIComponent(`${mark} d%`)}`)).toEqual([d])
    expect(await ids('memberships[]=banned')).toEqual([c])
    expect(await ids('memberships[]=banned&memberships[]=member')).toHaveLength(5)
    expect(await ids('roles[]=community-moderator')).toEqual([lead.userId])
    const first = await list('options[limit]=3')
    expect(first.paging.prev).toBeUndefined()
    const second = await list(`options[token]=${encodeURIComponent(first.paging.next)}`)
    expect(second.communityUsers).toMatchObject([{ userId: b }])
    expect(second.paging.previous).toBe(second.paging.prev)
    expect((await list(`options[token]=${encodeURIComponent(second.paging.prev)}`)).communityUsers).toEqual(
      first.communityUsers,
    )
    // A token that a client made itself.
    const own = Buffer.from(JSON.stringify({ skip: 1, limit: 2 })).toString('base64')
    expect(await ids(`options[token]=${encodeURIComponent(own)}`)).toEqual([d, a])

    expect(await call('GET', '/api/v3/communities/none/users', stranger)).toMatchObject(notFound)
    expect(await call('GET', (await space({ isPublic: false })).at('/users'), stranger)).toMatchObject(notFound)
    expect(
      await call('GET', (await space({ isPublic: false, isDiscoverable: true })).at('/users'), stranger),
    ).toMatchObject(forbidden)
    for (const wrong of ['memberships[]=none', 'sortBy=x', 'isBrand=2'])
      expect(await call('GET', at(`/users?${wrong}`), stranger)).toMatchObject(invalid)
  })
})

describe('communities', () => {
  test('one answers with every field, its categories, feeds, files and creator', async () => {
    const { fileId } = await database.prisma.file.create({ data: { fileId: `file-${randomUUID()}`, type: 'image' } })
    const { categoryId } = await database.prisma.category.create({
      data: { categoryId: `cat-${randomUUID()}`, name: 'News' },
    })
    const [maker, other] = [await person(), await person()]
    const made = await call('POST', '/api/v3/communities/', {
      token: maker.token,
      body: {
        displayName: 'Com',
        description: 'About',
        avatarFileId: fileId,
        isPublic: false,
        isDiscoverable: true,
        onlyAdminCanPost: true,
        needApprovalOnPostCreation: true,
        needApprovalOnCommentCreation: true,
        allowCommentInStory: true,
        requiresJoinApproval: true,
        tags: ['t'],
        categoryIds: [categoryId],
        metadata: { a: 1 },
        userIds: [other.userId],
      },
    })
    expect(made.status).toBe(200)
    const [community] = made.body.communities
    const { communityId } = community
    const stored = await database.prisma.community.findUniqueOrThrow({ where: { communityId } })
    const { internalId } = await database.prisma.user.findUniqueOrThrow({ where: { userId: maker.userId } })
    expect(community).toEqual({
      communityId,
      displayName: 'Com',
      _id: stored.internalId,
      path: `docket/social/community/${stored.internalId}`,
      userId: maker.userId,
      userPublicId: maker.userId,
      userInternalId: internalId,
      avatarFileId: fileId,
      description: 'About',
      isOfficial: false,
      isPublic: false,
      onlyAdminCanPost: true,
      isJoined: true,
      isDeleted: false,
      hasFlaggedComment: false,
      hasFlaggedPost: false,
      needApprovalOnPostCreation: true,
      needApprovalOnCommentCreation: true,
      allowCommentInStory: true,
      isDiscoverable: true,
      requiresJoinApproval: true,
      tags: ['t'],
      categoryIds: [categoryId],
      metadata: { a: 1 },
      postsCount: 0,
      membersCount: 2,
      moderatorMemberCount: 1,
      createdAt: stored.createdAt.toISOString(),
      updatedAt: stored.updatedAt.toISOString(),
      notificationMode: 'default',
      type: 'default',
    })
    expect(made.body.files).toMatchObject([{ fileId }])
    expect(made.body.categories).toMatchObject([{ categoryId, name: 'News', isDeleted: false }])
    expect(made.body.communityUsers).toHaveLength(2)

    const feed = (feedType: 'published' | 'reviewing') =>
      database.prisma.feed.create({
        data: { feedId: randomUUID(), targetId: communityId, targetType: 'community', feedType },
      })
    const [published] = [await feed('published'), await feed('reviewing')]
    await database.prisma.tally.create({ data: { kind: 'feed_posts', subjectId: published.feedId, total: 4 } })
    await database.prisma.tallyDelta.create({ data: { kind: 'feed_posts', subjectId: published.feedId, delta: -1 } })
    const read = async (token: string, query = '') =>
      (await call('GET', `/api/v3/communities/${communityId}${query}`, { token })).body
    expect((await read(maker.token)).feeds).toHaveLength(2)
    expect((await read(other.token)).feeds).toMatchObject([
      { feedId: published.feedId, postCount: 3, feedType: 'published' },
    ])
    expect((await read(other.token)).communityUsers).toMatchObject([{ userId: other.userId }])
    expect((await read(admin)).communityUsers).toEqual([])
    const internal = await call('GET', `/api/v3/communities/${stored.internalId}?type=internal`, { token: admin })
    expect(internal.body.communities).toMatchObject([{ communityId }])

    await database.prisma.community.update({ where: { communityId }, data: { isDeleted: true } })
    expect((await read(other.token)).communities).toMatchObject([{ communityId, isDeleted: true }])
    await expectExactCounts(communityId)
  })

  test('only editors can change them, and only admin context can make them official', async () => {
    const { at, lead, member, communityId } = await space()
    const who = await member()
    const put = (body: unknown, token = lead.token) => call('PUT', at(''), { token, body })
    expect((await put({ displayName: 'New', needApprovalOnCommentCreation: true })).body.communities).toMatchObject([
      { communityId, displayName: 'New', needApprovalOnCommentCreation: true },
    ])
    expect((await put({ description: null, metadata: null })).status).toBe(200)
    expect(await put({ displayName: 'x' }, who.token)).toMatchObject(forbidden)
    expect(await put({ isOfficial: true })).toMatchObject(forbidden)
    expect((await put({ isOfficial: true }, admin)).body.communities).toMatchObject([{ isOfficial: true }])
    expect(await put({ categoryIds: ['none'] })).toMatchObject(notFound)
    expect(await put({ avatarFileId: 'none' })).toMatchObject(notFound)
    for (const wrong of [{ displayName: '' }, { isPublic: 'no' }, { tags: ['t'.repeat(101)] }, { metadata: 'x' }]) {
      expect(await put(wrong)).toMatchObject(invalid)
    }
    expect(await call('PUT', '/api/v3/communities/none', { token: admin, body: {} })).toMatchObject(notFound)
    expect(await call('POST', '/api/v3/communities', { token: who.token, body: {} })).toMatchObject(invalid)
    expect(
      await call('POST', '/api/v3/communities', { token: who.token, body: { displayName: 'x', userIds: ['no-one'] } }),
    ).toMatchObject(notFound)
  })

  test('once deleted, one answers by its id, its queue closes, and it accepts no changes', async () => {
    const { lead, at, member, join, communityId } = await space()
    const who = await member()
    expect(await call('DELETE', at(''), who)).toMatchObject(forbidden)
    expect(await call('DELETE', at(''), { token: support ?? '' })).toMatchObject(forbidden)

    expect(await call('DELETE', at(''), lead)).toMatchObject({ status: 200, body: { success: true } })
    expect((await call('GET', at(''), who)).body.communities).toMatchObject([{ communityId, isDeleted: true }])
    for (const answer of [
      await call('DELETE', at(''), lead),
      await call('PUT', at(''), { token: lead.token, body: { displayName: 'x' } }),
      await call('GET', at('/comments/review-queue'), lead),
      await join(await person()),
    ]) {
      expect(answer).toMatchObject(notFound)
    }
    const post = { targetType: 'community', targetId: communityId, data: { text: 'Anyone?' } }
    expect((await call('POST', '/api/v4/posts', { token: who.token, body: post })).status).toBe(403)
    expect(await database.prisma.audit.count({ where: { communityId, action: 'community.deleted' } })).toBe(1)
    expect(await database.prisma.event.count({ where: { communityId, name: 'v3.community.didDelete' } })).toBe(1)

    const hidden = await space({ isPublic: false })
    expect(await call('DELETE', hidden.at(''), lead)).toMatchObject(notFound)
    expect((await call('DELETE', hidden.at(''), { token: admin })).status).toBe(200)
  })

  test('several answer by their ids in the order requested, without those the caller cannot see', async () => {
    const [one, two, hidden] = [await space(), await space(), await space({ isPublic: false })]
    const list = (ids: string[]) =>
      call('GET', `/api/v3/communities/list?${ids.map((id) => `communityIds[]=${id}`).join('&')}`, one.lead)
    const { body } = await list([two.communityId, hidden.communityId, 'none', one.communityId])
    expect(body.communities).toMatchObject([
      { communityId: two.communityId, isJoined: false },
      { communityId: one.communityId, isJoined: true },
    ])
    expect(await list([])).toMatchObject(invalid)
  })

  test('one lists what the caller may do in it: by the roles held there, or in admin context', async () => {
    const { lead, at, member } = await space({ isPublic: false })
    const permissions = async (who: { token: string }) => (await call('GET', at('/permissions/me'), who)).body
    expect((await permissions(lead)).permissions).toEqual(expect.arrayContaining(['REVIEW_COMMUNITY_COMMENT']))
    expect(await permissions(await member())).toEqual({ permissions: [] })
    expect(await permissions({ token: support ?? '' })).toEqual({
      permissions: ['VIEW_CHANNELS', 'VIEW_HISTORY', 'VIEW_USERS'],
    })
    expect(await permissions(await person())).toMatchObject(notFound.body)
  })

  test('a private one is hidden from non-members: by id, in lists, and for acts on it', async () => {
    const mark = randomUUID()
    const hidden = await space({ displayName: `${mark} hidden`, isPublic: false })
    const findable = await space({ displayName: `${mark} findable`, isPublic: false, isDiscoverable: true })
    const open = await space({ displayName: `${mark} open`, tags: ['t'] })
    const stranger = await person()
    const names = async (token: string, query = '') =>
      (
        await call('GET', `/api/v3/communities?keyword=${mark}&sortBy=displayName&${query}`, { token })
      ).body.communities.map((community: { displayName: string }) => community.displayName.slice(mark.length + 1))
    expect(await names(stranger.token)).toEqual(['open'])
    expect(await names(stranger.token, 'includeDiscoverablePrivateCommunity=true')).toEqual(['findable', 'open'])
    expect(await names(hidden.lead.token)).toEqual(['hidden', 'open'])
    expect(await names(hidden.lead.token, 'filter=member')).toEqual(['hidden'])
    expect(await names(hidden.lead.token, 'filter=notMember')).toEqual(['open'])
    expect(await names(admin)).toEqual(['findable', 'hidden', 'open'])
    expect(await names(admin, 'tags[]=t&tags[]=u')).toEqual(['open'])
    expect(await names(admin, 'hasFlag=true')).toEqual([])
    await database.prisma.community.update({
      where: { communityId: open.communityId },
      data: { isDeleted: true, hasFlaggedPost: true },
    })
    expect(await names(admin, 'isDeleted=false')).toEqual(['findable', 'hidden'])
    expect(await names(admin, 'filter=flagged')).toEqual(['open'])

    expect(await call('GET', hidden.at(''), stranger)).toMatchObject(notFound)
    expect((await call('GET', findable.at(''), stranger)).status).toBe(200)
    const body = { role: 'community-moderator', userIds: [stranger.userId] }
    expect(await call('POST', hidden.at('/users/roles'), { token: stranger.token, body })).toMatchObject(notFound)
    expect(await call('PUT', hidden.at('/users/ban'), { token: stranger.token, body })).toMatchObject(notFound)
    expect(await call('PUT', hidden.at(''), { token: stranger.token, body: { displayName: 'x' } })).toMatchObject(
      notFound,
    )
  })

  test('the list pages both ways without repeats or gaps while one is added', async () => {
    const mark = randomUUID()
    for (let index = 0; index < 5; index += 1) {
      // Pairs share one moment: ties are ordered by our own id.
      const createdAt = new Date(Date.UTC(2025, 0, 1 + Math.floor(index / 2)))
      await database.prisma.community.create({
        data: { communityId: `${mark}-${index}`, displayName: `${mark} ${index}`, createdAt },
      })
    }
    const made = await database.prisma.community.findMany({
      where: { communityId: { startsWith: mark } },
      orderBy: [{ createdAt: 'asc' }, { internalId: 'desc' }],
    })
    const list = async (query: string) =>
      (await call('GET', `/api/v3/communities?keyword=${mark}&${query}`, { token: admin })).body
    const ids = (page: { communities: { communityId: string }[] }) =>
      page.communities.map(({ communityId }) => communityId)
    const first = await list('options[limit]=2&sortBy=firstCreated')
    await database.prisma.community.create({
      data: { communityId: `${mark}-early`, displayName: mark, createdAt: new Date(Date.UTC(2024, 0, 1)) },
    })
    const second = await list(`sortBy=firstCreated&options[token]=${encodeURIComponent(first.paging.next)}`)
    const third = await list(`sortBy=firstCreated&options[token]=${encodeURIComponent(second.paging.next)}`)
    expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(made.map(({ communityId }) => communityId))
    expect(third.paging.next).toBeUndefined()
    expect(ids(await list(`sortBy=firstCreated&options[token]=${encodeURIComponent(second.paging.prev)}`))).toEqual(
      ids(first),
    )
  })
})
