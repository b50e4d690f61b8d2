import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { FOLDED_PAIRS } from '#server/testing/folded-pairs.ts'
import { IS_STRESS, sampled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const { call, tokenOf } = await testApi(database, { RATE_LIMITS: 'off' })
const admin = await tokenOf()

const channel = (over: object = {}) =>
  prisma.channel.create({ data: { channelId: `channel-${randomUUID()}`, displayName: 'Some channel', ...over } })
const enter = (channelId: string, userId: string, over: object = {}) =>
  prisma.channelUser.create({ data: { channelId, userId, membership: 'member', ...over } })
const author = await make.user()
const message = ({ text = 'Some words', ...over }: { channelId: string; text?: string; [field: string]: unknown }) =>
  prisma.message.create({
    data: { messageId: `message-${randomUUID()}`, userId: author.userId, data: { text }, ...over },
  })

type Query = Record<string, unknown>
const toQueryString = (query: Query) =>
  Object.entries(query)
    .flatMap(([name, value]): [string, unknown][] => {
      if (Array.isArray(value)) return value.map((item) => [`${name}[]`, item])
      if (typeof value === 'object' && value !== null)
        return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, inner])
      return [[name, value]]
    })
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&')
const search = (what: 'messages' | 'channels', query: Query, token = admin) =>
  call('GET', `/api/v2/search/${what}?${toQueryString(query)}`, { token })
const found = async (query: Query, token = admin): Promise<string[]> => {
  const { status, body } = await search('messages', query, token)
  expect([status, body.status]).toEqual([200, 'success'])
  return body.data.messages.map((one: { messageId: string }) => one.messageId)
}
const foundChannels = async (query: Query, token = admin): Promise<string[]> =>
  (await search('channels', query, token)).body.data.channels.map((one: { channelId: string }) => one.channelId)

describe('endpoint 5', () => {
  test('answers messages newest first, with channels, feeds, authors, files and roles, and the query', async () => {
    const space = await channel({ displayName: 'Aurora', avatarFileId: 'avatar-1' })
    await prisma.file.createMany({
      data: [
        { fileId: 'avatar-1', type: 'image' },
        { fileId: 'picture-1', type: 'image' },
      ],
    })
    const writer = await make.user({ displayName: 'Ünal', roles: ['moderator'] })
    await prisma.messageFeed.create({ data: { messageFeedId: 'feed-1', channelId: space.channelId, name: 'Side' } })
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
    const older = await message({
      channelId: space.channelId,
      text: 'aurora borealis',
      userId: writer.userId,
      fileId: 'picture-1',
      tags: ['sky'],
      createdAt: at(1),
      reactions: { like: 1 },
      reactionsCount: 1,
      mentionees: [{ type: 'user', userIds: [writer.userId] }],
    })
    const newer = await message({
      channelId: space.channelId,
      text: 'Auroras',
      messageFeedId: 'feed-1',
      createdAt: at(2),
    })
    await message({ channelId: space.channelId, text: 'aurora gone', isDeleted: true })

    const { status, body } = await search('messages', { query: 'aurora' })

    expect([status, body.status]).toEqual([200, 'success'])
    expect(Object.keys(body.data).sort()).toEqual(
      ['channels', 'files', 'messageFeeds', 'messages', 'paging', 'roles', 'search', 'totalCount', 'users'].sort(),
    )
    expect(body.data).toMatchObject({
      messages: [
        {
          messageId: newer.messageId,
          path: `docket/channel/${space.internalId}/message/${newer.internalId}`,
          data: { text: 'Auroras' },
          reactions: {},
          myReactions: [],
        },
        {
          messageId: older.messageId,
          type: 'text',
          userId: writer.userId,
          fileId: 'picture-1',
          tags: ['sky'],
          reactionsCount: 1,
        },
      ],
      channels: [{ channelId: space.channelId, displayName: 'Aurora' }],
      roles: [{ roleId: 'moderator' }],
      totalCount: 2,
      paging: {},
      search: { query: 'aurora', limit: 20, sortBy: 'createdAt', orderBy: 'desc' },
    })
    expect(body.data.users.map((user: { userId: string }) => user.userId).sort()).toEqual(
      [author.userId, writer.userId].sort(),
    )
    expect(body.data.files.map((file: { fileId: string }) => file.fileId).sort()).toEqual(['avatar-1', 'picture-1'])
    expect(body.data.messageFeeds.map((feed: { messageFeedId: string }) => feed.messageFeedId).sort()).toEqual(
      ['feed-1', space.internalId].sort(),
    )
    for (const one of [...body.data.messages, ...body.data.messageFeeds]) expect(Object.values(one)).not.toContain(null)
    expect(body.data.messages[0]).not.toHaveProperty('editedAt')
  })

  const wordings: { text: string; finds: string[]; misses: string[]; exact?: string[]; notExact?: string[] }[] = [
    {
      text: 'Hello brave new World',
      finds: ['hello', 'HELL', 'he', 'h', 'new wor', 'world hello', ' hello ', 'brave  new', 'ｈｅｌｌｏ'],
      misses: ['ello', 'rave', 'hello worlds', 'orld', 'hello%', 'h_llo', ' '],
      exact: ['brave new', 'Hello', 'new  world'],
      notExact: ['hell', 'brave world', 'rave new', 'new wor', ' '],
    },
    {
      text: String.raw`it's 100% of a_b in c:\temp, (x*y) [z]`,
      finds: [
        "it's",
        "'",
        '100%',
        '%',
        'a_b',
        '_',
        String.raw`c:\temp`,
        '\\',
        '(x*y)',
        '[z]',
        '*',
        'a_',
        '_b',
        String.raw`\t`,
      ],
      misses: ['it_s', '1%', 'a%b', 'a-b', 'a b_', '%%', '__', String.raw`c:\\temp`, '(x.y)', '.*', '100_', '"'],
      exact: ['100%', 'a_b', '100% of', String.raw`in c:\temp`, '(x*y) [z]'],
      notExact: ['a%b', '00%', '100% o', '(x.y)', '[a-z]'],
    },
    {
      text: 'One of the few, to be',
      finds: ['of the', 'the of', 'to fe'],
      misses: ['he fe', 'of these'],
      exact: ['of the', 'to be', 'one of', 'one of the', 'the few, to'],
      notExact: ['the of', 'of few', 'few to', 'f the', 'of th', 'one the'],
    },
    {
      text: '我爱北京天安门。abc中文def',
      finds: ['北京', '京', '我', '门', '天安门', '爱北京天', 'abc', '中文', '文def', '。', 'de'],
      misses: ['北天', '京北', '安北', '中国', 'bc', '文de f', 'c中', '門'],
      exact: ['北京天安门', '京', 'abc中文def'],
      notExact: ['北天', 'abc文'],
    },
    {
      text: 'こんにちは、カタカナﾃｽﾄ',
      finds: ['にち', 'カタ', 'テスト', 'は'],
      misses: ['ちに', 'カナタ'],
      exact: ['こんにちは'],
    },
    { text: '안녕하세요 서울에서', finds: ['서울', '안녕', '하세', '울'], misses: ['서세'], exact: ['서울'] },
    { text: 'สวัสดีครับ', finds: ['สวัส', 'ครับ', 'ดี'], misses: ['ครัส'] },
    { text: 'हिन्दी में लिखो', finds: ['हिन्दी', 'हिन्', 'में'], misses: ['न्दी'], exact: ['में'], notExact: ['हिन्'] },
    {
      text: 'Привет мир, ÅNGSTRÖM ﬁnal',
      finds: ['прив', 'МИР', 'ångström', 'final', 'a\u030angs', 'angstrom'],
      misses: ['ивет', 'ngstrom'],
    },
    { text: 'مرحبا بالعالم', finds: ['مرحبا', 'بالع'], misses: ['العالم'] },
    {
      text: 'nice 😀👍🏽 day',
      finds: ['😀', '👍', '👍🏽', '😀👍🏽'],
      misses: ['😁', '👍🏽😀'],
      exact: ['nice 😀👍🏽'],
    },
    { text: `${'l'.repeat(200)} tail`, finds: ['lll', 'l'.repeat(200), 'tai'], misses: ['l'.repeat(201)] },
  ]
  test.each(wordings)('finds words of “$text”, and takes every character literally', async ({ text, ...asked }) => {
    const { channelId } = await channel()
    const tag = randomUUID().slice(0, 30)
    await message({ channelId, text, tags: [tag] })
    // PostgreSQL scans the rows of a small channel one by one; it looks a tag up in the index.
    const hits = async (query: string, exactMatch: boolean) => {
      const looked = await found({ query, exactMatch, channelId })
      expect(await found({ query, exactMatch, tags: [tag] })).toEqual(looked)
      return looked.length
    }
    for (const query of asked.finds) expect([query, await hits(query, false)]).toEqual([query, 1])
    for (const query of asked.misses) expect([query, await hits(query, false)]).toEqual([query, 0])
    for (const query of asked.exact ?? []) expect([query, await hits(query, true)]).toEqual([query, 1])
    for (const query of asked.notExact ?? []) expect([query, await hits(query, true)]).toEqual([query, 0])
  })

  test.runIf(IS_STRESS)('matches a plain scan of all texts, whatever the characters', async () => {
    const { channelId } = await channel()
    const Text = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'ba', '_', '%', '\\', "'", '-', ' ', ' ', '中', '国', '中国', 'é', 'ü'), {
        minLength: 1,
        maxLength: 12,
      })
      .map((pieces) => pieces.join(''))
    const texts = fc.sample(Text, { numRuns: 300, seed: 7 })
    await prisma.message.createMany({
      data: texts.map((text, index) => ({
        messageId: `plain-${index}`,
        channelId,
        userId: author.userId,
        data: { text },
        tags: ['plain'],
      })),
    })
    for (const query of sampled(fc.sample(Text, { numRuns: 150, seed: 8 }), 30)) {
      for (const exactMatch of [false, true]) {
        const hits = await found({ query, exactMatch, tags: ['plain'], options: { limit: 100 } })
        expect(await found({ query, exactMatch, channelId, options: { limit: 100 } })).toEqual(hits)
        const expected = texts.flatMap((text, index) => (matches(text, query, exactMatch) ? [`plain-${index}`] : []))
        if (expected.length <= 100) expect([query, hits.sort()]).toEqual([query, expected.sort()])
        else expect([query, hits.length]).toEqual([query, 100])
      }
    }
  })

  const rejected: [string, string][] = [
    ['no query', ''],
    ['two queries', 'query=a&query=b'],
    ['a flag that is none', 'query=a&exactMatch=yes'],
    ['an unknown type', 'query=a&types[]=poem'],
    ['a type twice', 'query=a&types[]=text&types[]=text'],
    ['a tag twice', 'query=a&tags[]=x&tags[]=x'],
    ['an unknown order', 'query=a&options[orderBy]=up'],
    ['an unknown sort', 'query=a&options[sortBy]=lastActivity'],
    ['a text where options belong', 'query=a&options=10'],
    ['a query that cannot be decoded', 'query=%E0%A4%A'],
  ]
  test.each(rejected)('rejects %s with 422', async (_what, query) => {
    const { status, body } = await call('GET', `/api/v2/search/messages?${query}`, { token: admin })
    expect([status, body.status, body.code, body.message]).toEqual([
      422,
      'error',
      500000,
      'Parameters validation error',
    ])
    expect(body.data.detail[0]).toEqual(expect.any(String))
  })

  const edges: [string, Query][] = [
    ['a query of 512 one-letter terms', { query: 'q x'.repeat(341) }],
    ['1,024 characters without a space', { query: '漢字'.repeat(512) }],
    ['all types', { query: 'a', types: ['text', 'image', 'video', 'audio', 'file'] }],
    ['an empty token', { query: 'a', options: { token: '' } }],
    [
      'a token that a client made',
      { query: 'a', options: { token: Buffer.from('{"skip":3,"limit":2}').toString('base64') } },
    ],
    ['a parameter it does not know', { query: 'a', colour: 'blue' }],
  ]
  test.each(edges)('accepts %s', async (_what, query) => {
    expect((await search('messages', query)).status).toBe(200)
  })

  test('a token that does not decode is 400000', async () => {
    const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
    const tokens = [
      'x',
      't'.repeat(1_000),
      made({ after: ['0 2026-02-30T00:00:00.000Z', 'a'] }),
      made({ after: ['', ''] }),
      made({ before: ['2 2026-02-03T00:00:00.000Z', 'a'] }),
      made({ skip: -1 }),
    ]
    for (const token of tokens) {
      expect(await search('messages', { query: 'a', options: { token } })).toMatchObject({
        status: 400,
        body: { code: 400000 },
      })
      expect(await search('channels', { query: 'a', options: { token } })).toMatchObject({
        status: 400,
        body: { code: 400000 },
      })
    }
  })

  test.each([
    ['narrow', 0],
    ['slim', 1_500],
  ])('can be filtered by channel, feed, authors, types and tags: “%s”, beside %i others with it', async (text, others) => {
    const [space, other, busy] = [await channel(), await channel(), await channel()]
    const feedId = `feed-${text}`
    await prisma.messageFeed.create({ data: { messageFeedId: feedId, channelId: space.channelId } })
    const [second, member] = [await make.user(), await make.user()]
    await enter(other.channelId, member.userId)
    await prisma.$executeRaw`
      insert into message (message_id, channel_id, user_id, type, data, created_at)
      select ${text} || n, ${busy.channelId}, ${author.userId}, 'audio', jsonb_build_object('text', ${text}::text),
        timestamptz '2020-01-01' + n * interval '10 minutes'
      from generate_series(1, ${others}::int) as n`
    const plain = await message({ channelId: space.channelId, text })
    const inFeed = await message({ channelId: space.channelId, text, messageFeedId: feedId })
    const picture = await message({ channelId: space.channelId, text, type: 'image', tags: ['x', 'y'] })
    const elsewhere = await message({ channelId: other.channelId, text, userId: second.userId, tags: ['y'] })
    const ids = (...rows: { messageId: string }[]) => rows.map(({ messageId }) => messageId).sort()
    const narrowed = async (filter: Query, token = admin) => (await found({ query: text, ...filter }, token)).sort()

    expect(await narrowed({}, await tokenOf(member.userId))).toEqual(ids(elsewhere))
    expect(await narrowed({})).toEqual(ids(plain, inFeed, elsewhere))
    expect(await narrowed({ channelId: space.channelId })).toEqual(ids(plain, inFeed))
    expect(await narrowed({ messageFeedId: feedId })).toEqual(ids(inFeed))
    for (const mainFeed of [space.internalId, space.channelId]) {
      expect(await narrowed({ messageFeedId: mainFeed })).toEqual(ids(plain))
      expect(await narrowed({ messageFeedId: mainFeed, channelId: space.channelId })).toEqual(ids(plain))
    }
    expect(await narrowed({ userIds: [second.userId] })).toEqual(ids(elsewhere))
    expect(await narrowed({ userIds: [second.userId, author.userId] })).toEqual(ids(plain, inFeed, elsewhere))
    expect(await narrowed({ types: ['image'] })).toEqual(ids(picture))
    expect(await narrowed({ types: ['image', 'text'] })).toEqual(ids(plain, inFeed, picture, elsewhere))
    expect(await narrowed({ types: ['image', 'text'], tags: ['y'] })).toEqual(ids(picture, elsewhere))
    expect(await narrowed({ types: ['image', 'text'], tags: ['y'], channelId: other.channelId })).toEqual(
      ids(elsewhere),
    )
    expect((await search('messages', { query: text, channelId: other.channelId, messageFeedId: feedId })).status).toBe(
      404,
    )
  })

  test('a very common prefix with a rare term finds the rows that have both', async () => {
    const { channelId } = await channel()
    // Ten minutes on a level that the statistics of common words use.
    const [{ at } = { at: '' }] = await prisma.$queryRaw<{ at: string }[]>`
      select at::text from generate_series(timestamptz '2020-01-01', '2024-01-01', '10 minutes') as at
      where message_level(at) <= 'j' limit 1`
    await prisma.$executeRaw`
      insert into message (message_id, channel_id, user_id, data, tags, created_at)
      select 'beside-' || n, ${channelId}, ${author.userId},
        jsonb_build_object('text', case when n % 60 = 0 then 'Marmots, okapi' when n = 1 then 'okapi' else 'marmot ' || n end),
        case when n % 50 = 0 then '{beside}'::text[] else '{}' end, ${at}::timestamptz
      from generate_series(1, 480) as n`
    const besides = (...numbers: number[]) => numbers.map((number) => `beside-${number}`).sort()

    expect((await found({ query: 'marm OKAPI' })).sort()).toEqual(besides(60, 120, 180, 240, 300, 360, 420, 480))
    expect((await found({ query: 'marmot okapi', exactMatch: true })).sort()).toEqual([])
    expect((await found({ query: 'marmot', tags: ['beside'] })).sort()).toEqual(
      besides(50, 100, 150, 200, 250, 300, 350, 400, 450),
    )
    expect(await found({ query: 'marmot okapi', tags: ['beside'] })).toEqual(besides(300))
    // This many on that level are estimated at more than 10,000 until they are counted.
    const { body } = await search('messages', { query: 'marmot', options: { limit: 100 } })
    expect(body.data).toMatchObject({ totalCount: 479, messages: { length: 100 } })
    expect(body.data).not.toHaveProperty('totalCountIsLowerBound')
  })

  test('leaves messages that the caller cannot see out of pages and counts', async () => {
    const { userId } = await make.user()
    const token = await tokenOf(userId)
    const open = await channel()
    const joined = await channel({ isPublic: false })
    const hidden = await channel({ isPublic: false })
    const left = await channel({ isPublic: false })
    const talk = await channel({ type: 'conversation' })
    const foreignTalk = await channel({ type: 'conversation' })
    const gone = await channel({ isDeleted: true })
    await enter(joined.channelId, userId)
    await enter(talk.channelId, userId)
    await enter(left.channelId, userId, { membership: 'none' })
    const saidIn = new Map<string, string>()
    for (const { channelId } of [open, joined, hidden, left, talk, foreignTalk, gone]) {
      saidIn.set(channelId, (await message({ channelId, text: 'whisper' })).messageId)
    }
    const said = (...spaces: { channelId: string }[]) => spaces.map(({ channelId }) => saidIn.get(channelId)).sort()

    const own = await search('messages', { query: 'whisper' }, token)
    expect(own.body.data.messages.map((one: { messageId: string }) => one.messageId).sort()).toEqual(said(joined, talk))
    expect(own.body.data.totalCount).toBe(2)
    expect((await found({ query: 'whisper', options: { sortBy: 'relevance' } }, token)).sort()).toEqual(
      said(joined, talk),
    )
    const inNone = await tokenOf((await make.user()).userId)
    expect((await search('messages', { query: 'whisper' }, inNone)).body.data).toMatchObject({
      messages: [],
      channels: [],
      totalCount: 0,
    })
    expect((await found({ query: 'whisper' })).sort()).toEqual(said(open, joined, hidden, left))

    const within = async (channelId: string, who: string) => {
      const { status, body } = await search('messages', { query: 'whisper', channelId }, who)
      return [status, body.code ?? body.data.totalCount]
    }
    expect(await within(joined.channelId, token)).toEqual([200, 1])
    expect(await within(talk.channelId, token)).toEqual([200, 1])
    expect(await within(open.channelId, token)).toEqual([403, 400301])
    expect(await within(hidden.channelId, token)).toEqual([404, 400400])
    expect(await within(left.channelId, token)).toEqual([404, 400400])
    expect(await within(foreignTalk.channelId, token)).toEqual([404, 400400])
    expect(await within('no-such-channel', token)).toEqual([404, 400400])
    expect(await within(hidden.channelId, admin)).toEqual([200, 1])
    expect(await within(talk.channelId, admin)).toEqual([404, 400400])
    expect(await within('no-such-channel', admin)).toEqual([404, 400400])
    const withinFeed = async (messageFeedId: string) =>
      (await search('messages', { query: 'whisper', messageFeedId }, token)).body.code
    for (const id of ['internalId', 'channelId'] as const) {
      expect(await withinFeed(open[id])).toBe(400301)
      expect(await withinFeed(hidden[id])).toBe(400400)
    }
    expect((await call('GET', '/api/v2/search/messages?query=whisper')).status).toBe(401)
  })

  test('finds in each channel exactly what its messages show when they are read', async () => {
    const { userId } = await make.user()
    const own = await tokenOf(userId)
    const kinds = [true, false].flatMap((isPublic) =>
      (['community', 'live', 'broadcast', 'conversation'] as const).flatMap((type) =>
        (['none', 'member', 'banned'] as const).map((membership) => ({ isPublic, type, membership })),
      ),
    )
    const spaces = await Promise.all(
      kinds.map(async ({ membership, ...over }) => {
        const { channelId, internalId, type } = await channel(over)
        await enter(channelId, userId, { membership })
        const { messageId } = await message({ channelId, text: 'mutter' })
        return { channelId, internalId, messageId, isConversation: type === 'conversation' }
      }),
    )

    for (const token of [own, admin, await adminTokenOf(database, 'support')]) {
      const unscoped = await found({ query: 'mutter', options: { limit: 100 } }, token)
      for (const { channelId, internalId, messageId, isConversation } of spaces) {
        const read = await call('GET', `/api/v5/messages?messageFeedId=${internalId}`, { token })
        expect(unscoped.includes(messageId)).toBe(read.status === 200)
        const scoped = await search('messages', { query: 'mutter', channelId }, token)
        // In admin context, search covers no conversations.
        const expected = isConversation && token !== own ? [404, 400400] : [read.status, read.body.code]
        expect([scoped.status, scoped.body.code]).toEqual(expected)
      }
    }
  })

  test('by relevance, exact matches of the query come first; each part newest first, and all reversed ascending', async () => {
    const { channelId } = await channel()
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
    const texts = ['red panda', 'red pandas', 'panda red', 'a red panda!', 'redder pandas']
    const ids: string[] = []
    for (const [minute, text] of texts.entries())
      ids.push((await message({ channelId, text, createdAt: at(minute) })).messageId)
    const ranked = [ids[3], ids[0], ids[4], ids[2], ids[1]]

    const relevance = (orderBy: string) =>
      found({ query: 'red panda', channelId, options: { sortBy: 'relevance', orderBy } })
    expect(await relevance('desc')).toEqual(ranked)
    expect(await relevance('asc')).toEqual(ranked.toReversed())
    expect(await found({ query: 'red panda', channelId, options: { orderBy: 'asc' } })).toEqual(ids)
  })
})

test.each(
  FOLDED_PAIRS,
)('%j finds %j, as words of messages and in names of channels, their members, communities and people', async (typed, text) => {
  const mark = randomUUID().slice(0, 8)
  const displayName = `${text} ${mark}`
  const [space, inside, { communityId }, { userId }] = [
    await channel({ displayName }),
    await message({ channelId: (await channel()).channelId, text: displayName }),
    await make.community({ displayName, isPublic: true }),
    await make.user({ displayName }),
  ]
  expect(await found({ query: `${typed} ${mark}` })).toEqual([inside.messageId])
  expect(await foundChannels({ query: `${typed} ${mark}` })).toEqual([space.channelId])

  const named = async (path: string, list: string, id: string) => {
    const { body } = await call('GET', `${path}?keyword=${encodeURIComponent(typed)}&options[limit]=100`, {
      token: admin,
    })
    return body[list].map((one: Record<string, unknown>) => one[id])
  }
  expect(await named('/api/v3/communities', 'communities', 'communityId')).toContain(communityId)
  expect(await named('/api/v3/users', 'users', 'userId')).toContain(userId)
  expect(await named('/api/v3/channels', 'channels', 'channelId')).toContain(space.channelId)

  await enter(space.channelId, userId)
  const members = await call('GET', `/api/v4/channels/${space.channelId}/users?search=${encodeURIComponent(typed)}`, {
    token: admin,
  })
  expect(members.body.users).toMatchObject([{ userId }])
})

describe('endpoint 8', () => {
  test('answers channels by name, with the caller among their users, as endpoint 7 does', async () => {
    const { userId } = await make.user()
    const token = await tokenOf(userId)
    const mine = await channel({ displayName: 'Quokka fans', isPublic: false, tags: ['zoo'] })
    await enter(mine.channelId, userId)
    const open = await channel({ displayName: 'All quokkas', type: 'live', tags: ['zoo', 'cute'] })
    await channel({ displayName: 'Secret quokka', isPublic: false })
    await channel({ displayName: 'Gone quokka', isDeleted: true })
    const talk = await channel({ displayName: 'quokka talk', type: 'conversation' })

    const { status, body } = await search('channels', { query: 'quokka' }, token)
    expect([status, body.status]).toEqual([200, 'success'])
    expect(Object.keys(body.data).sort()).toEqual(
      [
        'channels',
        'channelUsers',
        'messageFeedsInfo',
        'messagePreviews',
        'users',
        'files',
        'totalCount',
        'paging',
        'search',
      ].sort(),
    )
    expect(body.data).toMatchObject({
      channels: [{ channelId: mine.channelId }, { channelId: open.channelId }],
      channelUsers: [{ channelId: mine.channelId, userId, membership: 'member' }],
      totalCount: 2,
      search: { query: 'quokka', limit: 20, sortBy: 'relevance', orderBy: 'desc' },
    })
    expect(await foundChannels({ query: 'quokka', isMemberOnly: true }, token)).toEqual([mine.channelId])
    expect(await foundChannels({ query: 'quokka', types: ['live', 'broadcast'] }, token)).toEqual([open.channelId])
    expect(await foundChannels({ query: 'quokka', tags: ['cute', 'ugly'] }, token)).toEqual([open.channelId])
    expect(await foundChannels({ query: 'quokka', exactMatch: true }, token)).toEqual([mine.channelId])
    expect(await foundChannels({ query: 'quokka' })).not.toContain(talk.channelId)
    expect(await foundChannels({ query: 'quokka' })).toHaveLength(3)
  })

  test('sorts by relevance, and by last activity, either way', async () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
    const names = ['wombat', 'wombats', 'the wombat', 'wombat-like', 'wombatologists']
    const ids: string[] = []
    for (const [hour, displayName] of names.entries())
      ids.push((await channel({ displayName, lastActivity: at(hour) })).channelId)
    const by = (sortBy: string, orderBy: string) => foundChannels({ query: 'wombat', options: { sortBy, orderBy } })

    expect(await by('lastActivity', 'asc')).toEqual(ids)
    expect(await by('lastActivity', 'desc')).toEqual(ids.toReversed())
    expect(await by('relevance', 'desc')).toEqual([3, 2, 0, 4, 1].map((index) => ids[index]))
    expect(await by('relevance', 'asc')).toEqual([1, 4, 0, 2, 3].map((index) => ids[index]))
  })

  const rejected: [string, string][] = [
    ['no query', ''],
    ['a flag that is none', 'query=a&isMemberOnly=1'],
    ['an unknown type', 'query=a&types[]=standard'],
    ['an unknown sort', 'query=a&options[sortBy]=createdAt'],
  ]
  test.each(rejected)('rejects %s with 422', async (_what, query) => {
    const { status, body } = await call('GET', `/api/v2/search/channels?${query}`, { token: admin })
    expect([status, body.code]).toEqual([422, 500000])
  })
})

describe('pages', () => {
  const pagesOf = async (query: Query, options: Query, between: () => Promise<void>) => {
    const forward: string[][] = []
    let token: string | undefined
    let last: { paging: { next?: string; prev?: string } } | undefined
    do {
      const { body } = await search('messages', { ...query, options: { ...options, ...(token && { token }) } })
      last = body.data
      forward.push(body.data.messages.map((one: { messageId: string }) => one.messageId))
      token = body.data.paging.next
      await between()
    } while (token)
    const backward: string[][] = [forward.at(-1) ?? []]
    token = last?.paging.prev
    while (token) {
      const { body } = await search('messages', { ...query, options: { ...options, token } })
      expect(body.data.paging.previous).toBe(body.data.paging.prev)
      backward.unshift(body.data.messages.map((one: { messageId: string }) => one.messageId))
      token = body.data.paging.prev
      await between()
    }
    return { forward: forward.flat(), backward: backward.flat() }
  }

  test.runIf(IS_STRESS)('of more than 10,000 hits say so, stay in order, and reach every hit', async () => {
    const { channelId } = await channel()
    const write = (from: number, to: number) => prisma.$executeRaw`
      insert into message (message_id, channel_id, user_id, data, created_at)
      select 'many-' || lpad(n::text, 5, '0'), ${channelId}, ${author.userId},
        jsonb_build_object('text', case when n % 100 = 0 then 'badger' else 'badgers' end || ' ' || n),
        timestamptz '2026-01-01' + (n / 3) * interval '1 second'
      from generate_series(${from}::int, ${to}::int) as n`
    const count = async (query: Query) => {
      const { data } = (await search('messages', { ...query, channelId })).body
      return [data.totalCount, data.totalCountIsLowerBound]
    }

    await write(1, 10_000)
    expect(await count({ query: 'badger' })).toEqual([10_000, undefined])
    await write(10_001, 10_200)
    expect(await count({ query: 'badger' })).toEqual([10_000, true])
    expect(await count({ query: 'badger', exactMatch: true })).toEqual([102, undefined])
    expect(await count({ query: 'badger 1' })).toEqual([1_312, undefined])

    const everyone = Array.from({ length: 10_200 }, (_, index) => `many-${String(index + 1).padStart(5, '0')}`)
    const { forward, backward } = await pagesOf({ query: 'badger', channelId }, { limit: 100 }, async () => {})
    expect(forward.toSorted()).toEqual(everyone)
    expect(backward).toEqual(forward)

    const ranked: string[] = []
    let next: string | undefined
    for (let index = 0; index < 3; index += 1) {
      const options = { sortBy: 'relevance', limit: 60, ...(next && { token: next }) }
      const { data } = (await search('messages', { query: 'badger', channelId, options })).body
      ranked.push(...data.messages.map((one: { messageId: string }) => one.messageId))
      next = data.paging.next
    }
    const best = everyone.filter((id) => id.endsWith('00'))
    const others = forward.filter((id) => !id.endsWith('00'))
    expect(ranked).toEqual([...forward.filter((id) => best.includes(id)), ...others.slice(0, 180 - best.length)])
    const worst = { sortBy: 'relevance', orderBy: 'asc', limit: 100 }
    expect(await found({ query: 'badger', channelId, options: worst })).toEqual(others.toReversed().slice(0, 100))
    const skipping = Buffer.from('{"skip":10199,"limit":5}').toString('base64')
    expect(await found({ query: 'badger', channelId, options: { token: skipping } })).toHaveLength(1)
  })

  test.runIf(IS_STRESS)(
    'of more than 10,000 hits at as many times are in order, however few of them others find',
    async () => {
      const { channelId } = await channel()
      await prisma.$executeRaw`
      insert into message (message_id, channel_id, user_id, data, created_at)
      select 'heron-' || n, ${channelId}, ${author.userId}, jsonb_build_object('text', 'heron ' || n % 7),
        timestamptz '2026-01-01' - n * interval '10 minutes'
      from generate_series(1, 14000) as n`
      const newest = (of: (n: number) => boolean) =>
        Array.from({ length: 14_000 }, (_, index) => index + 1)
          .filter(of)
          .map((n) => `heron-${n}`)

      const { data } = (await search('messages', { query: 'heron', options: { limit: 50 } })).body
      expect(data).toMatchObject({ totalCount: 10_000, totalCountIsLowerBound: true })
      expect(data.messages.map((one: { messageId: string }) => one.messageId)).toEqual(newest(() => true).slice(0, 50))
      const skipping = Buffer.from('{"skip":13990,"limit":5}').toString('base64')
      expect(await found({ query: 'heron', options: { token: skipping } })).toEqual(
        newest(() => true).slice(13_990, 13_995),
      )

      const some = await search('messages', { query: 'heron 3', channelId, options: { orderBy: 'asc', limit: 50 } })
      expect(some.body.data).toMatchObject({ totalCount: 2_000 })
      expect(some.body.data).not.toHaveProperty('totalCountIsLowerBound')
      expect(some.body.data.messages.map((one: { messageId: string }) => one.messageId)).toEqual(
        newest((n) => n % 7 === 3)
          .toReversed()
          .slice(0, 50),
      )
    },
  )
})

/** The expected result of a search, by a plain scan: each term, or the query, without matches that start or end within a word. */
function matches(text: string, query: string, isExact: boolean): boolean {
  const terms = query.split(' ').filter((term) => term !== '')
  const plain = withoutAccents(text).replaceAll(/ +/g, ' ')
  const wordings = (isExact && terms.length > 0 ? [terms.join(' ')] : terms).map(withoutAccents)
  return wordings.length > 0 && wordings.every((wording) => placesOf(plain, wording).some((at) => !isCut(at)))

  function isCut({ before, first, last, after }: ReturnType<typeof placesOf>[number]): boolean {
    return (isInWord(before) && isInWord(first)) || (isExact && isInWord(last) && isInWord(after))
  }
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
}

function placesOf(text: string, wording: string) {
  return Array.from(text, (_character, at) => at)
    .filter((at) => text.startsWith(wording, at))
    .map((at) => ({ before: text[at - 1], first: wording[0], last: wording.at(-1), after: text[at + wording.length] }))
}

function isInWord(character: string | undefined): boolean {
  return character !== undefined && /(?!\p{Script=Han})[\p{L}\p{N}]/u.test(character)
}
