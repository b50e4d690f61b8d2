import { describe, expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const { call, tokenOf } = await testApi(database)
const admin = await tokenOf()

let made = 0
async function channel(over: object = {}) {
  made += 1
  const { channelId, internalId } = await prisma.channel.create({ data: { channelId: `channel-${made}`, ...over } })
  return { channelId, feedId: internalId }
}

/** A member of a channel, with a token. */
async function memberOf(channelId: string, over: object = {}) {
  const { userId } = await make.user()
  await prisma.channelUser.create({ data: { channelId, userId, membership: 'member', ...over } })
  return { userId, token: await tokenOf(userId) }
}

const say = (token: string, messageFeedId: string, over: object = {}) =>
  call('POST', '/api/v5/messages', { token, body: { messageFeedId, data: { text: 'Some words' }, ...over } })
const listOf = (token: string, feedId: string, query = '') =>
  call('GET', `/api/v5/messages?messageFeedId=${feedId}${query}`, { token })
const idsOf = ({ body }: { body: { messages: { messageId: string }[] } }) =>
  body.messages.map((message) => message.messageId)
const codeOf = ({ status, body }: { status: number; body: { code?: number } }) => [status, body.code]
const FORBIDDEN = [403, 400300]
const NOT_MEMBER = [403, 400301]
const NOT_FOUND = [404, 400400]
const INVALID = [422, 500000]

const countOf = async (channelId: string) => {
  const sum = { _sum: { delta: true } } as const
  const { _sum } = await prisma.tallyDelta.aggregate({
    where: { kind: 'channel_messages', subjectId: channelId },
    ...sum,
  })
  return _sum.delta ?? 0
}
const stateOf = (channelId: string) =>
  prisma.channel.findUniqueOrThrow({ where: { channelId }, select: { messagePreviewId: true, lastMessageAt: true } })

describe('sending a message', () => {
  test('it is numbered, counted, shown as the latest, and answered with its feed, author and file', async () => {
    const { channelId, feedId } = await channel({ displayName: 'A channel' })
    const { userId, token } = await memberOf(channelId)
    const other = await memberOf(channelId)
    await prisma.file.create({ data: { fileId: `file-${channelId}`, type: 'image' } })

    const first = await say(token, feedId)
    const { status, body } = await say(token, feedId, {
      dataType: 'image',
      fileId: `file-${channelId}`,
      tags: ['t'],
      metadata: { a: 1 },
      mentionees: [{ type: 'user', userIds: [other.userId] }],
      referenceId: 'LOCAL_1',
    })

    expect(status).toBe(200)
    expect(body.messages).toMatchObject([
      {
        channelId,
        userId,
        type: 'image',
        channelSegment: 2,
        tags: ['t'],
        metadata: { a: 1 },
        mentionees: [{ type: 'user', userIds: [other.userId] }],
      },
    ])
    expect(Object.values(body.messages[0])).not.toContain(null)
    expect(body).toMatchObject({
      messageFeeds: [{ messageFeedId: feedId, channelId }],
      users: [{ userId }, { userId: other.userId }],
      files: [{ fileId: `file-${channelId}` }],
    })
    expect(await countOf(channelId)).toBe(2)
    expect(await stateOf(channelId)).toEqual({
      messagePreviewId: body.messages[0].messageId,
      lastMessageAt: new Date(body.messages[0].createdAt),
    })
    const people = await prisma.channelUser.findMany({ where: { channelId } })
    expect(people.find((person) => person.userId === userId)).toMatchObject({ readToSegment: 2 })
    expect(people.find((person) => person.userId === other.userId)).toMatchObject({ lastMentionedSegment: 2 })
    expect(await prisma.event.findMany({ where: { subjectId: body.messages[0].messageId } })).toMatchObject([
      { name: 'v5.message.didCreate', isDeskOnly: false },
    ])
    expect(idsOf(await listOf(token, feedId))).toEqual([...idsOf({ body }), ...idsOf(first)])
    const [messageId] = idsOf({ body })
    expect((await call('GET', `/api/v5/messages/${messageId}`, { token: other.token })).body).toMatchObject({
      messages: [{ messageId }],
    })
  })

  test('replies are counted, and must be to a message of the same feed', async () => {
    const { channelId, feedId } = await channel()
    const elsewhere = await channel()
    const { token, userId } = await memberOf(channelId)
    await prisma.channelUser.create({ data: { channelId: elsewhere.channelId, userId, membership: 'member' } })
    const [parentId] = idsOf(await say(token, feedId))
    const [foreignId] = idsOf(await say(token, elsewhere.feedId))

    const [replyId] = idsOf(await say(token, feedId, { parentId }))
    expect(codeOf(await say(token, feedId, { parentId: foreignId }))).toEqual(NOT_FOUND)
    expect((await call('GET', `/api/v5/messages/${parentId}`, { token })).body.messages).toMatchObject([
      { childrenNumber: 1 },
    ])
    expect(idsOf(await listOf(token, feedId, `&parentId=${parentId}`))).toEqual([replyId])
    expect(idsOf(await listOf(token, feedId, '&filterByParentId=true'))).toEqual([parentId])
  })

  test('twenty at once get twenty numbers, and the count is exact', async () => {
    const { channelId, feedId } = await channel()
    const { token } = await memberOf(channelId)
    const answers = await Promise.all(Array.from({ length: 20 }, () => say(token, feedId)))
    const segments = answers.map(({ body }) => body.messages[0].channelSegment)
    expect(segments.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(await countOf(channelId)).toBe(20)
  })

  test('requires an open channel and a member who is neither banned nor muted', async () => {
    const { channelId, feedId } = await channel()
    const stranger = await tokenOf((await make.user()).userId)
    const hidden = await channel({ isPublic: false })
    const later = new Date(Date.now() + 3_600_000)
    const banned = await memberOf(hidden.channelId, { membership: 'banned' })
    const muted = await memberOf(channelId, { muteTimeout: later })
    const unmuted = await memberOf(channelId, { muteTimeout: new Date(Date.now() - 1) })
    const moderator = await memberOf(channelId, { roles: ['channel-moderator'] })

    expect(codeOf(await say(stranger, feedId))).toEqual(NOT_MEMBER)
    expect(codeOf(await say(stranger, hidden.feedId))).toEqual(NOT_FOUND)
    expect(codeOf(await say(stranger, 'no-such-feed'))).toEqual(NOT_FOUND)
    expect(codeOf(await say(banned.token, hidden.feedId))).toEqual([403, 400304])
    expect(await say(muted.token, feedId)).toMatchObject({
      status: 403,
      body: { code: 400302, data: { mutedUntil: later.toISOString() } },
    })
    expect(codeOf(await say(admin, feedId))).toEqual(FORBIDDEN)
    expect((await say(unmuted.token, feedId)).status).toBe(200)

    await prisma.channel.update({ where: { channelId }, data: { muteTimeout: later } })
    expect(codeOf(await say(unmuted.token, feedId))).toEqual([403, 400303])
    expect((await say(moderator.token, feedId)).status).toBe(200)
    await prisma.channel.update({ where: { channelId }, data: { muteTimeout: null, type: 'broadcast' } })
    expect(codeOf(await say(unmuted.token, feedId))).toEqual(FORBIDDEN)
    expect((await say(moderator.token, feedId)).status).toBe(200)
    await prisma.channel.update({ where: { channelId }, data: { isDeleted: true } })
    expect(codeOf(await say(moderator.token, feedId))).toEqual(FORBIDDEN)
  })

  test.each<[string, object, number]>([
    ['20,000 characters', { data: { text: 'x'.repeat(20_000) } }, 200],
    ['20,001 characters', { data: { text: 'x'.repeat(20_001) } }, 422],
    ['custom content of just 100 KB', { dataType: 'custom', data: { a: 'x'.repeat(102_400 - 8) } }, 200],
    ['custom content of a byte more', { dataType: 'custom', data: { a: 'x'.repeat(102_400 - 7) } }, 422],
    ['custom content counted in bytes', { dataType: 'custom', data: { a: 'ü'.repeat(60_000) } }, 422],
    ['nothing at all', { data: {} }, 422],
    ['ten tags of 30 characters', { tags: Array.from({ length: 10 }, () => 't'.repeat(30)) }, 200],
    ['eleven tags', { tags: Array.from({ length: 11 }, () => 't') }, 422],
    ['a tag of 31 characters', { tags: ['t'.repeat(31)] }, 422],
    ['U+0000 in a key', { data: { 'a\0': 1 } }, 422],
  ])('answers %s', async (_what, over, status) => {
    const { channelId, feedId } = await channel()
    const { token } = await memberOf(channelId)
    expect((await say(token, feedId, over)).status).toBe(status)
  })

  test('rejects what the block-list and allow-list exclude', async () => {
    const { channelId, feedId } = await channel()
    const { token } = await memberOf(channelId)
    await call('POST', '/api/v3/blocklists', { token: admin, body: { regexs: ['forbiddenword'] } })
    expect(codeOf(await say(token, feedId, { data: { text: 'a forbiddenword' } }))).toEqual([403, 400308])
    await prisma.networkSettings.updateMany({ data: { isWhitelistEnabled: true } })
    expect(codeOf(await say(token, feedId, { data: { text: 'https://evil.test' } }))).toEqual([403, 400309])
    await prisma.networkSettings.updateMany({ data: { isWhitelistEnabled: false } })
  })
})

describe('feeds', () => {
  test('one answers by its id, those of a channel page by page, the oldest first, each with its latest message', async () => {
    const { channelId, feedId } = await channel({ displayName: 'A channel', createdAt: new Date('2026-01-01') })
    const { token, userId } = await memberOf(channelId)
    const own = { channelId, createdAt: new Date('2026-02-01') }
    await prisma.messageFeed.createMany({
      data: [
        { ...own, messageFeedId: `${channelId}-a`, name: 'A side' },
        { ...own, messageFeedId: `${channelId}-b`, isDeleted: true },
      ],
    })
    const [messageId] = idsOf(await say(token, `${channelId}-a`))
    const list = async (query: string) =>
      (await call('GET', `/api/v5/message-feeds/channel/${channelId}?${query}`, { token })).body
    const feeds = (page: { messageFeeds: { messageFeedId: string }[] }) =>
      page.messageFeeds.map(({ messageFeedId }) => messageFeedId)

    expect(feeds(await list(''))).toEqual([feedId, `${channelId}-a`, `${channelId}-b`])
    expect(feeds(await list('isDeleted=true'))).toEqual([`${channelId}-b`])
    const first = await list('isDeleted=false&options[limit]=1')
    const second = await list(`isDeleted=false&options[token]=${encodeURIComponent(first.paging.next)}`)
    expect([feeds(first), feeds(second), second.paging.next]).toEqual([[feedId], [`${channelId}-a`], undefined])
    expect(second).toMatchObject({ messages: [{ messageId, creatorPublicId: userId }], users: [{ userId }] })

    const one = await call('GET', `/api/v5/message-feeds/${channelId}-a`, { token })
    expect(one.body).toMatchObject({ messageFeeds: second.messageFeeds, messages: second.messages })
    expect((await call('GET', `/api/v5/message-feeds/${feedId}`, { token })).body.messageFeeds).toMatchObject([
      { messageFeedId: feedId, name: 'A channel' },
    ])
  })

  test('require read access to the channel', async () => {
    const { channelId, feedId } = await channel()
    const hidden = await channel({ isPublic: false })
    const talk = await channel({ type: 'conversation' })
    const stranger = await tokenOf((await make.user()).userId)
    const ask = async (path: string, token: string) => codeOf(await call('GET', path, { token }))

    for (const path of [`/api/v5/message-feeds/channel/${channelId}`, `/api/v5/message-feeds/${feedId}`]) {
      expect(await ask(path, stranger)).toEqual(NOT_MEMBER)
      expect(await ask(path, admin)).toEqual([200, undefined])
    }
    for (const path of [`channel/${hidden.channelId}`, hidden.feedId, 'channel/none', 'none']) {
      expect(await ask(`/api/v5/message-feeds/${path}`, stranger)).toEqual(NOT_FOUND)
    }
    for (const path of [`channel/${talk.channelId}`, talk.feedId]) {
      expect(await ask(`/api/v5/message-feeds/${path}`, admin)).toEqual(FORBIDDEN)
    }
    expect(await ask(`/api/v5/message-feeds/channel/${channelId}?options[limit]=0`, admin)).toEqual(INVALID)
  })

  test('name a message’s fields as version 5 does, beside the names of the interface', async () => {
    const { channelId, feedId } = await channel({ type: 'live' })
    const { userId, token } = await memberOf(channelId)
    const { internalId } = await prisma.user.findUniqueOrThrow({ where: { userId } })
    const mentionees = [{ type: 'user', userIds: [userId] }]
    const { body } = await say(token, feedId, { mentionees })
    expect(body.messages).toMatchObject([
      {
        userId,
        type: 'text',
        messageFeedId: feedId,
        channelPublicId: channelId,
        channelType: 'live',
        creatorId: internalId,
        creatorPublicId: userId,
        dataType: 'text',
        segment: 1,
        childCount: 0,
        reactionCount: 0,
        mentionedUsers: body.messages[0].mentionees,
      },
    ])
  })
})

describe('reading', () => {
  test('requires membership, or staff who see every channel; conversations are for their members only', async () => {
    const open = await channel()
    const talk = await channel({ type: 'conversation', isPublic: false })
    const member = await memberOf(open.channelId)
    const talker = await memberOf(talk.channelId)
    const stranger = await tokenOf((await make.user()).userId)
    const [messageId] = idsOf(await say(member.token, open.feedId))
    const [said] = idsOf(await say(talker.token, talk.feedId))
    const read = (token: string, id = messageId) => call('GET', `/api/v5/messages/${id}`, { token })

    expect(codeOf(await listOf(stranger, open.feedId))).toEqual(NOT_MEMBER)
    expect(codeOf(await read(stranger))).toEqual(NOT_MEMBER)
    expect(idsOf(await listOf(admin, open.feedId))).toEqual([messageId])
    expect(codeOf(await listOf(stranger, talk.feedId))).toEqual(NOT_FOUND)
    expect(codeOf(await read(stranger, said))).toEqual(NOT_FOUND)
    expect(codeOf(await listOf(admin, talk.feedId))).toEqual(FORBIDDEN)
    expect(codeOf(await read(admin, said))).toEqual(FORBIDDEN)
    expect(idsOf(await listOf(talker.token, talk.feedId))).toEqual([said])
    expect(codeOf(await read(admin, 'no-such-message'))).toEqual(NOT_FOUND)
  })

  test('a separate feed holds its own messages, the main feed the others', async () => {
    const { channelId, feedId } = await channel()
    const { token } = await memberOf(channelId)
    await prisma.messageFeed.create({ data: { messageFeedId: `sub-${channelId}`, channelId, name: 'Sub' } })
    const [main] = idsOf(await say(token, feedId))
    const sub = await say(token, `sub-${channelId}`)
    expect(sub.body.messageFeeds).toMatchObject([{ messageFeedId: `sub-${channelId}`, name: 'Sub', childCount: 1 }])
    expect(idsOf(await listOf(token, feedId))).toEqual([main])
    expect(idsOf(await listOf(token, `sub-${channelId}`))).toEqual(idsOf(sub))
  })

  test('the public id of a channel names its main feed as the feed’s own id does: to write, reply, list and read the feed', async () => {
    const { channelId, feedId } = await channel()
    const { token, userId } = await memberOf(channelId)
    const imported = { messageId: `imported-${channelId}`, channelId, userId, createdAt: new Date('2026-01-01') }
    await prisma.message.create({
      data: { ...imported, messageFeedId: feedId, data: { text: 'Stored with its feed' } },
    })
    const parents = [imported.messageId, ...idsOf(await say(token, feedId)), ...idsOf(await say(token, channelId))]
    const written = [...parents]

    for (const id of [channelId, feedId])
      for (const parentId of parents) {
        const { status, body } = await say(token, id, { parentId })
        expect([id, parentId, status]).toEqual([id, parentId, 200])
        expect(body).toMatchObject({
          messages: [{ channelId, parentId, messageFeedId: feedId }],
          messageFeeds: [{ messageFeedId: feedId }],
        })
        written.push(...idsOf({ body }))
      }

    for (const id of [channelId, feedId]) {
      expect(idsOf(await listOf(token, id)).toSorted()).toEqual(written.toSorted())
      const one = await call('GET', `/api/v5/message-feeds/${id}`, { token })
      expect(one.body.messageFeeds).toMatchObject([{ messageFeedId: feedId, channelId }])
    }
  })

  test('a feed whose id is also the public id of another channel keeps its messages to itself', async () => {
    const [space, other] = [await channel(), await channel()]
    const { token, userId } = await memberOf(space.channelId)
    await prisma.channelUser.create({ data: { channelId: other.channelId, userId, membership: 'member' } })
    await prisma.messageFeed.create({ data: { messageFeedId: other.channelId, channelId: space.channelId } })

    const { body } = await say(token, other.channelId)
    expect(body.messages).toMatchObject([{ channelId: space.channelId, messageFeedId: other.channelId }])
    expect(idsOf(await listOf(token, other.channelId))).toEqual(idsOf({ body }))
    expect(idsOf(await listOf(token, other.feedId))).toEqual([])
  })

  test('pages forward and back without repeats or gaps, in both orders, while messages arrive', async () => {
    const { channelId, feedId } = await channel()
    const { token, userId } = await memberOf(channelId)
    const ids: string[] = []
    for (let index = 0; index < 7; index += 1) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, 9 - Math.floor(index / 3)))
      ids.push(`${channelId}-${index}`)
      await prisma.message.create({ data: { messageId: `${channelId}-${index}`, channelId, userId, createdAt } })
    }
    const first = await listOf(token, feedId, '&options[limit]=3&options[sortBy]=segmentDesc&isDeleted=false')
    await say(token, feedId)
    const page = (of: string) => listOf(token, feedId, `&options[token]=${encodeURIComponent(of)}`)
    const second = await page(first.body.paging.next)
    const third = await page(second.body.paging.next)
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(ids)
    expect([first.body.paging.previous, third.body.paging.next]).toEqual([undefined, undefined])
    expect(idsOf(await page(third.body.paging.prev))).toEqual(ids.slice(3, 6))
    expect(idsOf(await listOf(token, feedId, '&options[sortBy]=segmentAsc&options[limit]=7'))).toEqual(ids.toReversed())
  })

  test.each([
    ['no feed', '', INVALID],
    ['a limit of 101', '?messageFeedId=f&options[limit]=101', INVALID],
    ['an unknown order', '?messageFeedId=f&options[sortBy]=colour', INVALID],
    ['eleven tags', `?messageFeedId=f${'&tags[]=t'.repeat(11)}`, INVALID],
  ])('rejects %s', async (_what, query, expected) => {
    expect(codeOf(await call('GET', `/api/v5/messages${query}`, { token: admin }))).toEqual(expected)
  })
})

describe('deleting and flags', () => {
  test('a deleted message answers by its id without its words and is neither counted nor listed; an erased one does not', async () => {
    const { channelId, feedId } = await channel()
    const author = await memberOf(channelId)
    const member = await memberOf(channelId)
    const moderator = await memberOf(channelId, { roles: ['channel-moderator'] })
    const [first] = idsOf(await say(author.token, feedId))
    const [second] = idsOf(await say(author.token, feedId, { parentId: first }))
    const remove = (token: string, query = '') => call('DELETE', `/api/v5/messages/${second}${query}`, { token })

    expect(codeOf(await remove(member.token))).toEqual(FORBIDDEN)
    expect((await remove(moderator.token)).body).toEqual({ success: true })
    expect((await remove(author.token)).body).toEqual({ success: true })
    const [message] = (await call('GET', `/api/v5/messages/${second}`, { token: member.token })).body.messages
    expect(message).toMatchObject({ isDeleted: true })
    expect(message).not.toHaveProperty('data')
    expect([await countOf(channelId), (await stateOf(channelId)).messagePreviewId]).toEqual([1, first])
    expect((await prisma.message.findUniqueOrThrow({ where: { messageId: first } })).childrenNumber).toBe(0)
    expect(idsOf(await listOf(member.token, feedId, '&isDeleted=false'))).toEqual([first])
    expect(idsOf(await listOf(member.token, feedId, '&isDeleted=true'))).toEqual([second])

    expect((await remove(author.token, '?permanent=true')).body).toEqual({ success: true })
    expect(codeOf(await call('GET', `/api/v5/messages/${second}`, { token: author.token }))).toEqual(NOT_FOUND)
    expect(await countOf(channelId)).toBe(1)
  })

  test.each([
    {
      flag: 'v5/messages/ID/flags',
      unflag: 'v5/messages/ID/flags',
      clear: 'v5/messages/ID/flags/all',
      mine: 'v5/messages/ID/flags',
    },
    {
      flag: 'v3/messages/ID/flag',
      unflag: 'v3/messages/ID/unflag',
      clear: 'v3/messages/ID/clearFlags',
      mine: 'v3/messages/ID/isFlaggedByMe',
    },
  ])('flags count once per person, and disappear when withdrawn or cleared: $flag', async (paths) => {
    const { channelId, feedId } = await channel()
    const author = await memberOf(channelId)
    const member = await memberOf(channelId)
    const moderator = await memberOf(channelId, { roles: ['channel-moderator'] })
    const stranger = await tokenOf((await make.user()).userId)
    const [messageId] = idsOf(await say(author.token, feedId))
    const to = (path: string) => `/api/${path.replace('ID', messageId ?? '')}`

    const flagged = await call('POST', to(paths.flag), {
      token: member.token,
      body: { reason: 'Spam or scams', detail: '' },
    })
    expect(flagged.body.messages).toMatchObject([{ flagCount: 1, hashFlag: {} }])
    expect((await call('POST', to(paths.flag), { token: member.token })).body.messages).toMatchObject([
      { flagCount: 1 },
    ])
    expect((await call('GET', to(paths.mine), { token: member.token })).body).toEqual({ result: true })
    expect((await call('GET', to(paths.mine), { token: author.token })).body).toEqual({ result: false })
    expect(idsOf(await listOf(member.token, feedId, '&hasFlags=true'))).toEqual([messageId])
    expect((await call('DELETE', to(paths.unflag), { token: member.token })).body.messages[0]).not.toHaveProperty(
      'hashFlag',
    )
    await call('POST', to(paths.flag), { token: member.token })
    expect(codeOf(await call('DELETE', to(paths.clear), { token: member.token }))).toEqual(FORBIDDEN)
    expect((await call('DELETE', to(paths.clear), { token: moderator.token })).body.messages).toMatchObject([
      { flagCount: 0 },
    ])
    expect(codeOf(await call('POST', to(paths.flag), { token: stranger }))).toEqual(NOT_MEMBER)
    expect(codeOf(await call('POST', to(paths.flag), { token: admin }))).toEqual(FORBIDDEN)
    expect(
      codeOf(await call('POST', to(paths.flag), { token: member.token, body: { reason: 'x'.repeat(301) } })),
    ).toEqual(INVALID)
  })

  test('reaching the channel’s flag limit deletes a message, once', async () => {
    const { channelId, feedId } = await channel({ messageAutoDeleteEnabled: true, autoDeleteMessageByFlagLimit: 2 })
    const people = await Promise.all([memberOf(channelId), memberOf(channelId), memberOf(channelId)])
    const [messageId] = idsOf(await say(people[0].token, feedId))
    const flag = (token: string) => call('POST', `/api/v5/messages/${messageId}/flags`, { token })
    expect((await flag(people[0].token)).body.messages).toMatchObject([{ isDeleted: false }])
    expect((await flag(people[1].token)).body.messages).toMatchObject([{ isDeleted: true }])
    await flag(people[2].token)
    expect(await countOf(channelId)).toBe(0)
  })
})
