import { describe, expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const admin = await tokenOf()

const pathOf = (channelId: string, rest = '') => `/api/v3/channels/${encodeURIComponent(channelId)}${rest}`
const someone = async () => {
  const { userId } = await make.user()
  return { userId, token: await tokenOf(userId) }
}
const moderatorOf = async (channelId: string) => {
  const { userId } = await make.moderatorOf(channelId)
  return { userId, token: await tokenOf(userId) }
}
const idsOf = (body: { channelUsers: { userId: string }[] }) => body.channelUsers.map(({ userId }) => userId)

const NOT_FOUND = { status: 404, body: { status: 'error', code: 400400, message: 'Resource Not Found.' } }
const FORBIDDEN = { status: 403, body: { status: 'error', code: 400300, message: 'Forbidden error.' } }
const INVALID = { status: 422, body: { status: 'error', code: 500000, message: 'Parameters validation error' } }

describe('endpoint 7', () => {
  test('answers the channel with every field, the caller, the last message, its feed, people and files', async () => {
    const [file, avatar] = ['file-channel', 'file-user']
    await prisma.file.createMany({ data: [file, avatar].map((fileId) => ({ fileId, type: 'image' as const })) })
    const at = (day: number) => new Date(Date.UTC(2026, 0, day))
    const { channelId, internalId } = await make.channel({
      type: 'live',
      displayName: 'Ünal 漢字',
      avatarFileId: file,
      tags: ['a'],
      metadata: { colour: 'blue' },
      isRateLimited: true,
      rateLimit: 5,
      rateLimitWindow: 1_000,
      rateLimitTimeout: at(2),
      muteTimeout: new Date(Date.now() + 3_600_000),
      messageAutoDeleteEnabled: true,
      autoDeleteMessageByFlagLimit: 3,
      notificationMode: 'silent',
      attachedPostId: 'post-1',
      lastMessageAt: at(3),
    })
    const writer = await make.user()
    await prisma.user.update({ where: { userId: writer.userId }, data: { avatarFileId: avatar } })
    const last = await make.message({ channelId, userId: writer.userId, channelSegment: 7, createdAt: at(3) })
    const pinned = await make.message({ channelId, userId: writer.userId, isDeleted: true })
    await prisma.channel.update({
      where: { channelId },
      data: {
        messagePreviewId: last.messageId,
        pinnedMessageId: pinned.messageId,
        pinnedBy: writer.userId,
        pinnedAt: at(4),
      },
    })
    const me = await make.channelUser({ channelId, roles: ['channel-moderator'], muteTimeout: at(1), readToSegment: 4 })
    await make.channelUser({ channelId })

    const { status, body } = await call('GET', pathOf(channelId), { token: await tokenOf(me.userId) })

    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([
      'channelUsers',
      'channels',
      'files',
      'messageFeedsInfo',
      'messagePreviews',
      'users',
    ])
    expect(body.channels).toEqual([
      {
        channelId,
        _id: internalId,
        path: `docket/channel/${internalId}`,
        channelInternalId: internalId,
        channelPublicId: channelId,
        createdAt: expect.stringMatching(/\.\d{3}Z$/),
        updatedAt: expect.any(String),
        lastActivity: expect.any(String),
        lastMessageAt: '2026-01-03T00:00:00.000Z',
        muteTimeout: expect.any(String),
        rateLimitTimeout: '2026-01-02T00:00:00.000Z',
        isDistinct: false,
        isMuted: true,
        isRateLimited: true,
        messageAutoDeleteEnabled: true,
        isDeleted: false,
        isPublic: true,
        metadata: { colour: 'blue' },
        type: 'live',
        tags: ['a'],
        rateLimit: 5,
        rateLimitWindow: 1_000,
        autoDeleteMessageByFlagLimit: 3,
        memberCount: 2,
        messageCount: 0,
        displayName: 'Ünal 漢字',
        avatarFileId: file,
        messagePreviewId: last.messageId,
        notificationMode: 'silent',
        attachedTo: { postId: 'post-1' },
        pinnedMessage: expect.objectContaining({
          messageId: pinned.messageId,
          isDeleted: true,
          pinnedBy: writer.userId,
          pinnedAt: '2026-01-04T00:00:00.000Z',
        }),
      },
    ])
    expect(body.channels[0].pinnedMessage).not.toHaveProperty('data')
    expect(body.channelUsers).toEqual([
      {
        userId: me.userId,
        userPublicId: me.userId,
        userInternalId: expect.stringMatching(/^[0-9a-f]{24}$/),
        channelId,
        channelInternalId: internalId,
        channelPublicId: channelId,
        membership: 'member',
        isBanned: false,
        muteTimeout: '2026-01-01T00:00:00.000Z',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        roles: ['channel-moderator'],
        permissions: expect.arrayContaining(['BAN_USER_FROM_CHANNEL', 'MUTE_CHANNEL']),
        readToSegment: 4,
        lastMentionedSegment: 0,
        isMuted: false,
      },
    ])
    expect(body.messagePreviews).toEqual([
      {
        messageId: last.messageId,
        channelId,
        messageFeedId: internalId,
        segment: 7,
        dataType: 'text',
        data: { text: 'Some words' },
        creatorId: writer.userId,
        creatorPublicId: writer.userId,
        isDeleted: false,
        createdAt: '2026-01-03T00:00:00.000Z',
        updatedAt: expect.any(String),
      },
    ])
    expect(body.messageFeedsInfo).toEqual([
      {
        messageFeedId: internalId,
        name: 'Ünal 漢字',
        messagePreviewId: last.messageId,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect(body.users.map(({ userId }: { userId: string }) => userId).sort()).toEqual([me.userId, writer.userId].sort())
    expect(body.files.map(({ fileId }: { fileId: string }) => fileId)).toEqual([file, avatar])
  })

  test('shows an admin token no caller, and in a conversation all members but none of its messages', async () => {
    const open = await make.channel()
    await make.channelUser({ channelId: open.channelId })
    expect((await call('GET', pathOf(open.channelId), { token: admin })).body.channelUsers).toEqual([])

    const { channelId } = await make.channel({ type: 'conversation', isPublic: false })
    const [one, two] = [await make.channelUser({ channelId }), await make.channelUser({ channelId })]
    await make.channelUser({ channelId, membership: 'none' })
    const { messageId } = await make.message({ channelId, userId: one.userId })
    await prisma.channel.update({
      where: { channelId },
      data: { messagePreviewId: messageId, pinnedMessageId: messageId },
    })

    const seen = await call('GET', pathOf(channelId), { token: admin })
    expect(idsOf(seen.body).sort()).toEqual([one.userId, two.userId].sort())
    expect(seen.body).toMatchObject({ messagePreviews: [], messageFeedsInfo: [] })
    expect(JSON.stringify(seen.body)).not.toContain(messageId)
    const mine = await call('GET', pathOf(channelId), { token: await tokenOf(two.userId) })
    expect(idsOf(mine.body).sort()).toEqual([one.userId, two.userId].sort())
    expect(mine.body.messagePreviews).toMatchObject([{ messageId }])
  })

  test('other people’s private channels and conversations, unknown ones and one’s former ones are 404', async () => {
    const { channelId } = await make.channel({ isPublic: false })
    const conversation = await make.channel({ type: 'conversation', isPublic: true })
    const { userId, token } = await someone()
    await make.channelUser({ channelId, userId, membership: 'banned', roles: ['channel-moderator'] })

    for (const id of [channelId, conversation.channelId, 'no-such-channel', 'ü'.repeat(900), '%']) {
      expect(await call('GET', pathOf(id), { token })).toMatchObject(NOT_FOUND)
      expect(await call('GET', pathOf(id, '/users'), { token })).toMatchObject(NOT_FOUND)
    }
    expect((await call('GET', pathOf('c'.repeat(901)), { token })).body).toMatchObject(INVALID.body)
    expect((await call('GET', pathOf('a\0b'), { token })).body).toMatchObject(INVALID.body)
    expect((await call('GET', pathOf(channelId))).status).toBe(401)
  })

  test('a deleted channel answers 200 with isDeleted to those who could see it', async () => {
    const { channelId } = await make.channel({ isPublic: false, isDeleted: true })
    const { userId } = await make.channelUser({ channelId })
    const seen = await call('GET', pathOf(channelId), { token: await tokenOf(userId) })
    expect([seen.status, seen.body.channels[0].isDeleted]).toEqual([200, true])
    expect(await call('GET', pathOf(channelId), { token: (await someone()).token })).toMatchObject(NOT_FOUND)
  })

  test('non-members see a public channel, but none of its messages', async () => {
    const { channelId } = await make.channel()
    const { messageId } = await make.message({ channelId })
    await prisma.channel.update({ where: { channelId }, data: { messagePreviewId: messageId } })
    const { status, body } = await call('GET', pathOf(channelId), { token: (await someone()).token })
    expect([status, body.messagePreviews, body.channelUsers]).toEqual([200, [], []])
    expect(JSON.stringify(body)).not.toContain(messageId)
  })
})

describe('endpoint 6', () => {
  test('filters by membership, with active mutes only, and by any of several roles', async () => {
    const { channelId } = await make.channel()
    const soon = new Date(Date.now() + 3_600_000)
    const over = new Date(Date.now() - 1)
    const add = async (name: string, row: Parameters<typeof make.channelUser>[0]) => [
      name,
      (await make.channelUser(row)).userId,
    ]
    const named = Object.fromEntries([
      await add('plain', { channelId }),
      await add('muted', { channelId, muteTimeout: soon, roles: ['x'] }),
      await add('mutedBefore', { channelId, muteTimeout: over, roles: ['y', 'z'] }),
      await add('banned', { channelId, membership: 'banned', muteTimeout: soon, roles: ['x'] }),
      await add('left', { channelId, membership: 'none' }),
    ])
    const asked = async (query: string, version = 'v3') => {
      const { body } = await call('GET', `/api/${version}/channels/${channelId}/users?${query}`, { token: admin })
      const ids = idsOf(body)
      return Object.keys(named).filter((name) => ids.includes(named[name] ?? ''))
    }

    const members = ['plain', 'muted', 'mutedBefore']
    expect(await asked('')).toEqual(members)
    expect(await asked('filter=all')).toEqual(members)
    expect(await asked('filter=muted')).toEqual(['muted'])
    expect(await asked('filter=banned')).toEqual(['banned'])
    expect(await asked('filter=member%26banned')).toEqual([...members, 'banned'])
    expect(await asked('roles[]=x&roles[]=z')).toEqual(['muted', 'mutedBefore'])
    expect(await asked('roles=y')).toEqual(['mutedBefore'])
    expect(await asked('filter=member%26banned&roles%5B%5D=x')).toEqual(['muted', 'banned'])

    expect(await asked('', 'v4')).toEqual(members)
    expect(await asked('memberships[]=member&memberships[]=banned&channelId=ignored', 'v4')).toEqual([
      ...members,
      'banned',
    ])
    expect(await asked('memberships[]=muted&memberships[]=banned', 'v4')).toEqual(['muted', 'banned'])
    expect(await asked('role=x&roles[]=y', 'v4')).toEqual(['muted', 'mutedBefore'])
  })

  test('isDeleted has three states: true, false, and absent or the word null for both', async () => {
    const { channelId } = await make.channel()
    const living = await make.channelUser({ channelId })
    const gone = await make.channelUser({ channelId, isDeleted: true })
    const erased = await make.channelUser({ channelId })
    await prisma.user.update({ where: { userId: erased.userId }, data: { isDeleted: true } })
    const asked = async (query: string) =>
      idsOf((await call('GET', pathOf(channelId, `/users${query}`), { token: admin })).body).sort()

    expect(await asked('?isDeleted=false')).toEqual([living.userId])
    expect(await asked('?isDeleted=true')).toEqual([gone.userId, erased.userId].sort())
    for (const both of ['', '?isDeleted=null']) {
      expect(await asked(both)).toEqual([living.userId, gone.userId, erased.userId].sort())
    }
  })

  test('the v4 form searches names in any case, takes % and _ literally, and distinguishes brands', async () => {
    const { channelId } = await make.channel()
    const members = ['Alice', 'Bob 100%', 'snake_case', 'ПРИВЕТ', '漢字かな']
    for (const displayName of members) await make.channelUser({ channelId, displayName })
    const brand = await make.channelUser({ channelId, displayName: 'Shop' })
    await prisma.user.update({ where: { userId: brand.userId }, data: { isBrand: true } })
    const asked = async (query: string) => {
      const { body } = await call('GET', `/api/v4/channels/${channelId}/users?${query}`, { token: admin })
      return body.users.map(({ displayName }: { displayName: string }) => displayName)
    }

    expect(await asked('search=LIC')).toEqual(['Alice'])
    expect(await asked(`search=${encodeURIComponent('%')}`)).toEqual(['Bob 100%'])
    expect(await asked('search=_')).toEqual(['snake_case'])
    expect(await asked(`search=${encodeURIComponent('привет')}`)).toEqual(['ПРИВЕТ'])
    expect(await asked(`search=${encodeURIComponent('字か')}`)).toEqual(['漢字かな'])
    expect(await asked('search=nobody')).toEqual([])
    expect(await asked('isBrand=true')).toEqual(['Shop'])
  })

  const rejected = [
    'filter=member',
    'filter=',
    'filter=member&banned=yes',
    'filter=all&banned&filter=member',
    'sortBy=name',
    'isDeleted=yes',
  ]
  test.each(rejected)('rejects %s with 422', async (query) => {
    const { channelId } = await make.channel()
    expect(await call('GET', pathOf(channelId, `/users?${query}`), { token: admin })).toMatchObject(INVALID)
  })

  test('reads member&banned as one value, with its & percent-encoded or raw, as the v4 form does', async () => {
    const { channelId } = await make.channel()
    const banned = await make.channelUser({ channelId, membership: 'banned' })
    const member = await make.channelUser({ channelId })
    const seen = async (path: string) => {
      const answer = await call('GET', path, { token: admin })
      expect(answer.status).toBe(200)
      return answer.body.channelUsers.map(({ userId }: { userId: string }) => userId).sort()
    }
    const both = [banned.userId, member.userId].sort()
    for (const filter of ['filter=member&banned', 'filter=member%26banned', 'filter=member&banned&options[limit]=5']) {
      expect(await seen(pathOf(channelId, `/users?${filter}`))).toEqual(both)
      expect(await seen(`/api/v4/channels/${channelId}/users?${filter}`)).toEqual(both)
    }
    expect(await seen(`/api/v4/channels/${channelId}/users?filter=member`)).toEqual([member.userId])
  })

  test('a token that does not decode is 400', async () => {
    const { channelId } = await make.channel()
    expect(await call('GET', pathOf(channelId, '/users?options[token]=%21'), { token: admin })).toMatchObject({
      status: 400,
      body: { code: 400000 },
    })
  })

  test('is open to everyone who can see the channel, and forbidden to those banned from it', async () => {
    const { channelId } = await make.channel()
    const { userId, token } = await someone()
    expect((await call('GET', pathOf(channelId, '/users'), { token })).status).toBe(200)
    await make.channelUser({ channelId, userId, membership: 'banned' })
    expect(await call('GET', pathOf(channelId, '/users'), { token })).toMatchObject(FORBIDDEN)
  })
})

describe('endpoint 2 and unban', () => {
  test('answer the people concerned; banned people cannot rejoin until the ban is lifted', async () => {
    const { channelId } = await make.channel()
    const moderator = await moderatorOf(channelId)
    const { userId, token } = await someone()
    await call('POST', pathOf(channelId, '/join'), { token })

    const banned = await call('PUT', pathOf(channelId, '/users/ban'), {
      token: moderator.token,
      body: { userIds: [userId] },
    })
    expect([banned.status, banned.body.channels[0].channelId, banned.body]).toMatchObject([
      200,
      channelId,
      { channelUsers: [{ userId, membership: 'banned', isBanned: true }], users: [{ userId }] },
    ])
    expect(banned.body).not.toHaveProperty('paging')
    expect(await call('POST', pathOf(channelId, '/join'), { token })).toMatchObject({
      status: 403,
      body: { code: 400304, message: 'User is banned from a channel' },
    })
    expect((await call('GET', pathOf(channelId), { token })).body.channelUsers).toMatchObject([{ isBanned: true }])

    const lifted = await call('PUT', pathOf(channelId, '/users/unban'), {
      token: moderator.token,
      body: { userIds: [userId] },
    })
    expect(lifted.body.channelUsers).toMatchObject([{ userId, membership: 'none', isBanned: false }])
    expect((await call('POST', pathOf(channelId, '/join'), { token })).status).toBe(200)
  })
})

describe('endpoint 9 and leave', () => {
  test('joining answers the caller as a member, again without a change; leaving ends it', async () => {
    const { channelId } = await make.channel()
    const { userId, token } = await someone()
    for (const _ of [1, 2]) {
      const { status, body } = await call('POST', pathOf(channelId, '/join'), { token })
      expect([status, body.channelUsers, body.channels[0].memberCount]).toMatchObject([
        200,
        [{ userId, membership: 'member' }],
        1,
      ])
    }
    for (const _ of [1, 2]) {
      const { status, body } = await call('DELETE', pathOf(channelId, '/leave'), { token })
      expect([status, body.channelUsers, body.channels[0].memberCount]).toMatchObject([
        200,
        [{ userId, membership: 'none' }],
        0,
      ])
    }
    expect(await prisma.audit.count({ where: { channelId } })).toBe(2)
  })

  test('accept an empty body of any type, and only JSON otherwise', async () => {
    const { channelId } = await make.channel()
    const { token } = await someone()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const join = (body: string) => call('POST', pathOf(channelId, '/join'), { token, body, headers })
    expect(await join('a=b')).toMatchObject({ status: 400, body: { code: 400000 } })
    expect(await join('')).toMatchObject({ status: 200, body: { channelUsers: [{ membership: 'member' }] } })
  })

  test('a private or deleted channel is 404, or 400304 for the banned; conversations cannot be joined or left', async () => {
    const closed = await make.channel({ isPublic: false })
    const gone = await make.channel({ isDeleted: true })
    const { userId, token } = await someone()
    for (const { channelId } of [closed, gone]) {
      expect(await call('POST', pathOf(channelId, '/join'), { token })).toMatchObject(NOT_FOUND)
      expect(await call('DELETE', pathOf(channelId, '/leave'), { token })).toMatchObject(NOT_FOUND)
    }
    await make.channelUser({ channelId: closed.channelId, userId, membership: 'banned' })
    expect(await call('POST', pathOf(closed.channelId, '/join'), { token })).toMatchObject({ body: { code: 400304 } })

    const { channelId } = await make.channel({ type: 'conversation', isPublic: false })
    const other = await make.channelUser({ channelId })
    expect(await call('POST', pathOf(channelId, '/join'), { token })).toMatchObject(NOT_FOUND)
    expect(await call('POST', pathOf(channelId, '/join'), { token: admin })).toMatchObject(FORBIDDEN)
    const mine = await tokenOf(other.userId)
    expect((await call('POST', pathOf(channelId, '/join'), { token: mine })).status).toBe(200)
    expect(await call('DELETE', pathOf(channelId, '/leave'), { token: mine })).toMatchObject(FORBIDDEN)
  })
})

describe('mute, roles, add and remove', () => {
  test('mute answers success, also for 0, and mutes forever for -1; rejects an invalid period', async () => {
    const { channelId } = await make.channel()
    const moderator = await moderatorOf(channelId)
    const { userId } = await make.channelUser({ channelId })
    const mute = (mutePeriod: unknown) =>
      call('PUT', `/api/v2/channel/${channelId}/users/mute`, {
        token: moderator.token,
        body: { userIds: [userId], mutePeriod },
      })
    const isMuted = async () =>
      (await call('GET', pathOf(channelId, '/users?filter=muted'), { token: admin })).body.channelUsers

    expect(await mute(3_600_000)).toMatchObject({ status: 200, body: { success: true } })
    expect(await isMuted()).toMatchObject([{ userId, isMuted: true }])
    expect(await mute(0)).toMatchObject({ status: 200, body: { success: true } })
    expect(await isMuted()).toEqual([])
    expect((await mute(100 * 365 * 86_400_000)).status).toBe(200)
    expect((await mute(-1)).status).toBe(200)
    expect(Date.parse((await isMuted())[0].muteTimeout)).toBeGreaterThan(Date.now() + 99 * 365 * 86_400_000)
    for (const period of [-2, 1.5, '5', null, undefined, 1e17]) expect(await mute(period)).toMatchObject(INVALID)
  })

  test('removes a role by body or by query string', async () => {
    const { channelId } = await make.channel()
    const { userId } = await make.channelUser({ channelId })
    const body = { channelId, role: 'channel-moderator', userIds: [userId] }
    const roles = pathOf(channelId, '/users/roles')

    const given = await call('POST', roles, { token: admin, body })
    expect(given.body.channelUsers).toMatchObject([{ userId, roles: ['channel-moderator'] }])
    const taken = await call('DELETE', roles, { token: admin, body })
    expect(taken.body.channelUsers).toMatchObject([{ userId, roles: [] }])
    await call('POST', roles, { token: admin, body })
    const byQuery = await call('DELETE', `${roles}?role=channel-moderator&userIds[]=${userId}`, { token: admin })
    expect(byQuery.body.channelUsers).toMatchObject([{ userId, roles: [] }])
    expect(await call('DELETE', roles, { token: admin })).toMatchObject(INVALID)
  })

  test('adds and removes members, and both answers name them', async () => {
    const { channelId } = await make.channel({ isPublic: false })
    const { token } = await moderatorOf(channelId)
    const { userId } = await make.user()
    const users = pathOf(channelId, '/users')

    const added = await call('POST', users, { token, body: { channelId, userIds: [userId] } })
    expect(added.body).toMatchObject({
      channelUsers: [{ userId, membership: 'member' }],
      channels: [{ memberCount: 2 }],
    })
    const removed = await call('DELETE', users, { token, body: { channelId, userIds: [userId] } })
    expect(removed.body).toMatchObject({
      channelUsers: [{ userId, membership: 'none' }],
      channels: [{ memberCount: 1 }],
    })
    expect(await call('POST', users, { token: await tokenOf(userId), body: { userIds: [userId] } })).toMatchObject(
      NOT_FOUND,
    )
    const events = await prisma.event.findMany({ where: { subjectId: channelId }, orderBy: { eventId: 'asc' } })
    expect(events.map(({ name, payload }) => [name, Object.keys(payload as object).sort()])).toEqual([
      ['channel.didAddUsers', ['actorId', 'adderId', 'channel', 'userIds', 'users']],
      ['channel.didRemoveUsers', ['actorId', 'channel', 'removerId', 'userIds', 'users']],
    ])
  })
})

describe('a channel itself', () => {
  test('can be changed by those who may edit it; omitted fields stay, null removes a field', async () => {
    const { channelId } = await make.channel({ displayName: 'Old', tags: ['a'], metadata: { a: 1 } })
    const moderator = await moderatorOf(channelId)
    const put = (body: unknown, token = moderator.token) => call('PUT', pathOf(channelId), { token, body })

    const changed = await put({ displayName: 'New', tags: ['b', 'c'] })
    expect([changed.status, changed.body.channels, idsOf(changed.body)]).toMatchObject([
      200,
      [{ displayName: 'New', tags: ['b', 'c'], metadata: { a: 1 } }],
      [moderator.userId],
    ])
    const cut = await put({ displayName: null, metadata: null, isPublic: false }, admin)
    expect(cut.body.channels[0]).not.toHaveProperty('displayName')
    expect(cut.body.channels[0]).not.toHaveProperty('metadata')
    expect(cut.body).toMatchObject({ channels: [{ isPublic: false, tags: ['b', 'c'] }], channelUsers: [] })
    expect((await put({})).body.channels).toMatchObject(cut.body.channels)

    const audits = await prisma.audit.findMany({ where: { subjectId: channelId }, orderBy: { auditId: 'asc' } })
    expect(audits.map(({ action, after }) => [action, after])).toEqual([
      ['channel.updated', { fields: ['displayName', 'tags'] }],
      ['channel.updated', { fields: ['displayName', 'isPublic', 'metadata'] }],
    ])
    const events = await prisma.event.findMany({ where: { subjectId: channelId } })
    expect(events.map(({ name, isDeskOnly }) => [name, isDeskOnly])).toEqual([
      ['channel.didUpdate', false],
      ['channel.didUpdate', false],
    ])
  })

  test('rejects an invalid change, and callers who may not make it', async () => {
    const { channelId } = await make.channel()
    const moderator = await moderatorOf(channelId)
    const { userId } = await make.channelUser({ channelId })
    const put = (body: unknown, token = moderator.token) => call('PUT', pathOf(channelId), { token, body })
    expect((await put({ displayName: 'd'.repeat(255), tags: ['t'.repeat(100)] })).status).toBe(200)
    for (const wrong of [
      { displayName: 'd'.repeat(256) },
      { tags: ['t'.repeat(101)] },
      { tags: [''] },
      { tags: null },
      { metadata: 'x' },
      { isPublic: 'no' },
      null,
    ]) {
      expect(await put(wrong)).toMatchObject(INVALID)
    }
    expect(await put({ avatarFileId: 'none' })).toMatchObject(NOT_FOUND)
    expect(await put({ displayName: 'x' }, await tokenOf(userId))).toMatchObject(FORBIDDEN)
    expect(await put({ displayName: 'x' }, (await someone()).token)).toMatchObject(FORBIDDEN)

    const closed = await make.channel({ isPublic: false })
    const stranger = { token: moderator.token, body: { displayName: 'x' } }
    expect(await call('PUT', pathOf(closed.channelId), stranger)).toMatchObject(NOT_FOUND)
    expect(await call('DELETE', pathOf(closed.channelId), { token: moderator.token })).toMatchObject(NOT_FOUND)
  })

  test('once deleted, answers by its id to those who saw it, and accepts no changes', async () => {
    const { channelId, internalId } = await make.channel({ isPublic: false })
    const moderator = await moderatorOf(channelId)
    const { userId } = await make.channelUser({ channelId })
    const member = await tokenOf(userId)
    expect(await call('DELETE', pathOf(channelId), { token: member })).toMatchObject(FORBIDDEN)

    expect(await call('DELETE', pathOf(channelId), { token: moderator.token })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await call('GET', pathOf(channelId), { token: member })).body.channels).toMatchObject([{ isDeleted: true }])
    expect(await call('GET', pathOf(channelId), { token: (await someone()).token })).toMatchObject(NOT_FOUND)
    expect((await call('GET', '/api/v3/channels?isDeleted=false', { token: member })).body.channels).not.toContainEqual(
      expect.objectContaining({ channelId }),
    )
    const say = { messageFeedId: internalId, data: { text: 'Anyone?' } }
    expect(await call('POST', '/api/v5/messages', { token: member, body: say })).toMatchObject(FORBIDDEN)
    for (const [method, body] of [
      ['PUT', { displayName: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      expect(await call(method, pathOf(channelId), { token: moderator.token, body })).toMatchObject(NOT_FOUND)
    }
    expect(await prisma.audit.count({ where: { subjectId: channelId, action: 'channel.deleted' } })).toBe(1)
  })

  test('while muted, accepts messages only from those who may mute, until the mute expires or is lifted', async () => {
    const { channelId, internalId } = await make.channel()
    const moderator = await moderatorOf(channelId)
    const { userId } = await make.channelUser({ channelId })
    const member = await tokenOf(userId)
    const mute = (mutePeriod: unknown, token = moderator.token) =>
      call('PUT', `/api/v2/channel/${channelId}/mute`, { token, body: { mutePeriod } })
    const say = async (token: string) =>
      (await call('POST', '/api/v5/messages', { token, body: { messageFeedId: internalId, data: { text: 'x' } } })).body
        .code
    const isMuted = async () => (await call('GET', pathOf(channelId), { token: admin })).body.channels[0].isMuted

    expect(await mute(3_600_000)).toMatchObject({ status: 200, body: { success: true } })
    expect([await isMuted(), await say(member), await say(moderator.token)]).toEqual([true, 400303, undefined])
    for (const _ of [1, 2]) expect(await mute(0)).toMatchObject({ status: 200, body: { success: true } })
    expect([await isMuted(), await say(member)]).toEqual([false, undefined])
    expect((await mute(-1)).status).toBe(200)
    expect(await say(member)).toBe(400303)

    const acts = await prisma.audit.findMany({ where: { subjectId: channelId }, orderBy: { auditId: 'asc' } })
    expect(acts.map(({ action }) => action)).toEqual(['channel.muted', 'channel.unmuted', 'channel.muted'])
    for (const period of [-2, 1.5, '5', null, undefined, 1e17]) expect(await mute(period)).toMatchObject(INVALID)
    expect(await mute(5, member)).toMatchObject(FORBIDDEN)
    expect(await call('PUT', '/api/v2/channel/none/mute', { token: admin, body: { mutePeriod: 5 } })).toMatchObject(
      NOT_FOUND,
    )
  })
})

describe('making and listing channels', () => {
  test('the creator owns and moderates it, others named are members, and a taken id is rejected', async () => {
    const { userId, token } = await someone()
    const other = await make.user()
    const body = {
      type: 'community',
      displayName: 'Chan',
      userIds: [other.userId, userId],
      tags: ['t'],
      isPublic: false,
    }

    const made = await call('POST', '/api/v3/channels', { token, body })
    expect([made.status, made.body.channels]).toMatchObject([
      200,
      [{ type: 'community', displayName: 'Chan', tags: ['t'], isPublic: false, memberCount: 2 }],
    ])
    const rolesOf = Object.fromEntries(
      made.body.channelUsers.map((row: { userId: string; roles: string[] }) => [row.userId, row.roles]),
    )
    expect(rolesOf).toEqual({ [userId]: ['channel-moderator', 'channel-owner'], [other.userId]: [] })
    const { channelId } = made.body.channels[0]
    expect(await call('POST', '/api/v3/channels', { token, body: { channelId } })).toMatchObject({
      body: { code: 400315 },
    })
    expect(await prisma.audit.count({ where: { subjectId: channelId, action: 'channel.created' } })).toBe(1)

    for (const wrong of [
      { type: 'conversation' },
      { metadata: { a: 'b\0' } },
      { displayName: 'd'.repeat(256) },
      { userIds: 'a' },
    ]) {
      expect(await call('POST', '/api/v3/channels', { token, body: wrong })).toMatchObject(INVALID)
    }
    expect(await call('POST', '/api/v3/channels', { token, body: { userIds: ['nobody'] } })).toMatchObject(NOT_FOUND)
    expect(await call('POST', '/api/v3/channels', { token, body: { avatarFileId: 'none' } })).toMatchObject(NOT_FOUND)
  })

  test('a conversation with the same people is the same one unless requested otherwise', async () => {
    const { token } = await someone()
    const other = await make.user()
    const begin = async (over = {}) =>
      (await call('POST', '/api/v3/channels/conversation', { token, body: { userIds: [other.userId], ...over } })).body
    const first = await begin({ type: 'conversation', displayName: 'dm' })
    expect(first.channels).toMatchObject([{ type: 'conversation', isPublic: false, isDistinct: true, memberCount: 2 }])
    expect(first.channelUsers).toHaveLength(2)
    expect((await begin()).channels[0].channelId).toBe(first.channels[0].channelId)
    expect((await begin({ isDistinct: false })).channels[0].channelId).not.toBe(first.channels[0].channelId)
    expect(
      await call('POST', '/api/v3/channels/conversation', { token: admin, body: { userIds: [other.userId] } }),
    ).toMatchObject(FORBIDDEN)
  })

  test('lists what the caller can see, by kind, tag, name and membership, in every order and page by page', async () => {
    const { userId, token } = await someone()
    const tag = `tag-${userId}`.slice(0, 100)
    const ids: Record<string, string> = {}
    const add = async (name: string, over: Parameters<typeof make.channel>[0] = {}) => {
      const row = await make.channel({
        displayName: name,
        tags: [tag],
        lastActivity: new Date(Date.UTC(2026, 0, 9)),
        createdAt: new Date(Date.UTC(2026, 0, 1, Object.keys(ids).length)),
        ...over,
      })
      ids[row.channelId] = name
      return row
    }
    await add('Harbour')
    await add('100% Ärger', { type: 'live', lastActivity: new Date(Date.UTC(2026, 0, 10)) })
    await add('gone', { isDeleted: true })
    const mine = await add('mine', { isPublic: false, tags: [tag, 'extra'] })
    await make.channelUser({ channelId: mine.channelId, userId })
    await add('theirs', { isPublic: false })
    await add('talk', { type: 'conversation' })
    const asked = async (query: string, as = token) => {
      const { body } = await call('GET', `/api/v3/channels?tags[]=${tag}&options[limit]=100&${query}`, { token: as })
      return body.channels.map(({ channelId }: { channelId: string }) => ids[channelId])
    }

    expect((await asked('isDeleted=false')).sort()).toEqual(['100% Ärger', 'Harbour', 'mine'])
    expect((await asked('')).sort()).toEqual(['100% Ärger', 'Harbour', 'gone', 'mine'])
    expect((await asked('isDeleted=false', admin)).sort()).toEqual(['100% Ärger', 'Harbour', 'mine', 'talk', 'theirs'])
    expect(await asked('filter=member')).toEqual(['mine'])
    expect(await asked('filter=notMember&types[]=live')).toEqual(['100% Ärger'])
    expect(await asked(`keyword=${encodeURIComponent('% är')}`)).toEqual(['100% Ärger'])
    expect(await asked('keyword=_')).toEqual([])
    expect(await asked('excludeTags[]=extra&isDeleted=false&sortBy=displayName')).toEqual(['100% Ärger', 'Harbour'])
    expect((await asked('isDeleted=false'))[0]).toBe('100% Ärger')
    expect(await asked('sortBy=firstCreated&isDeleted=false')).toEqual(['Harbour', '100% Ärger', 'mine'])
    expect(await asked('sortBy=lastCreated&isDeleted=false')).toEqual(['mine', '100% Ärger', 'Harbour'])
    expect(await asked(`filter=member&userId=${userId}`, admin)).toEqual(['mine'])
    expect(await call('GET', `/api/v3/channels?userId=${userId}`, { token: (await someone()).token })).toMatchObject(
      FORBIDDEN,
    )

    for (const sortBy of ['lastActivity', 'lastCreated', 'firstCreated', 'displayName']) {
      const paged: string[] = []
      let next: string | undefined
      do {
        const path = `/api/v3/channels?tags[]=${tag}&sortBy=${sortBy}&options[limit]=2${next === undefined ? '' : `&options[token]=${encodeURIComponent(next)}`}`
        const { body } = await call('GET', path, { token: admin })
        paged.push(...body.channels.map(({ channelId }: { channelId: string }) => ids[channelId]))
        next = body.paging.next
      } while (next !== undefined)
      expect(paged).toEqual(await asked(`sortBy=${sortBy}`, admin))
      expect(paged).toHaveLength(6)
    }
  })

  test('lists flagged channels only for those who can act on them', async () => {
    const { channelId } = await make.channel()
    await make.message({ channelId, flagCount: 1 })
    const moderator = await moderatorOf(channelId)
    const asked = async (token: string) =>
      (await call('GET', '/api/v3/channels?filter=flagged', { token })).body.channels.map(
        (channel: { channelId: string }) => channel.channelId,
      )
    expect(await asked(moderator.token)).toEqual([channelId])
    expect(await asked((await someone()).token)).toEqual([])
  })

  test('returns several by id, encoded once or twice, without those the caller cannot see', async () => {
    const odd = await make.channel({ channelId: 'a/ü 漢%41' })
    const hidden = await make.channel({ isPublic: false })
    const { token } = await someone()
    const list = (ids: string[]) =>
      call('GET', `/api/v3/channels/list?${ids.map((id) => `channelIds[]=${encodeURIComponent(id)}`).join('&')}`, {
        token,
      })

    for (const id of [odd.channelId, encodeURIComponent(odd.channelId)]) {
      const { body } = await list([id, hidden.channelId, 'no-such'])
      expect(body.channels).toMatchObject([{ channelId: odd.channelId }])
    }
    expect(await call('GET', '/api/v3/channels/list', { token })).toMatchObject(INVALID)
  })
})
