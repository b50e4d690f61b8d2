import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Pool } from '#server/core/database/db-types.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { DomainError } from '#server/core/errors.ts'
import { loadFiles } from '#server/modules/integrations/imports/load-files.ts'
import { LINE_LIMIT_BYTES } from '#server/modules/integrations/imports/read-lines.ts'
import { backtest } from '#server/modules/review/backtests/backtest.ts'
import { BacktestInput } from '#server/modules/review/backtests/schema.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { REAL_FILES, realFile } from '#server/testing/real-file.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const { database, prisma, pool } = await testDatabase()
const ctx = systemCtx(database)
const { database: real } = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'docket-import-'))
afterAll(() => rm(folder, { recursive: true }))

type TestDatabase = Awaited<ReturnType<typeof testDatabase>>

let made = 0
/** A name that no other test uses. */
const own = (word: string) => `${word}-${++made}`

describe('importing', () => {
  test('importing a file twice changes nothing the second time, even if its records have changed since', async () => {
    const { lines, commentId } = forum()
    const path = await file(lines)
    const first = await load(path)
    await prisma.comment.update({ where: { commentId }, data: { data: { text: 'Edited since' }, version: 2 } })
    const before = await everything()

    const second = await load(path)

    expect(first).toMatchObject({ unchanged: {}, refused: 0 })
    expect(second).toEqual({ added: {}, unchanged: first.added, refused: 0, errors: [] })
    expect(await everything()).toEqual(before)
  })

  test('a record may reference one that comes later in the same file', async () => {
    const { lines } = forum()
    expect(await load(await file(lines.toReversed()))).toMatchObject({
      added: { community: 1, user: 2, communityUser: 2, post: 1, comment: 3, channel: 1, channelUser: 1, message: 2 },
      refused: 0,
    })
  })

  test('of two records with one id the first is added and the second is unchanged', async () => {
    const userId = own('user')
    const lines = ['first', 'second'].map((displayName) => ({ type: 'user', userId, displayName }))

    expect(await load(await file(lines))).toMatchObject({ added: { user: 1 }, unchanged: { user: 1 } })
    expect(await prisma.user.findUnique({ where: { userId } })).toMatchObject({ displayName: 'first' })
  })

  test('adds every type of record with its fields', async () => {
    const id = own('any')
    const lines = [
      { type: 'community', communityId: id, communityType: 'event', tags: ['a'], metadata: { deep: [1, null] } },
      { type: 'category', categoryId: id, name: 'Category' },
      { type: 'feed', feedId: id, targetId: id, targetType: 'community', feedType: 'declined', postCount: 9 },
      { type: 'user', userId: id, roles: ['support'], isGlobalBan: true, permissions: ['BAN_USER'] },
      { type: 'role', roleId: id, rank: 5, permissions: ['EDIT_MESSAGE'] },
      { type: 'channel', channelId: id, channelType: 'live', attachedTo: { postId: 'p' }, lastMessageAt: null },
      { type: 'file', fileId: id, fileType: 'image', attributes: { size: 3 } },
      { type: 'stream', streamId: id, status: 'live', isLive: true, recordings: [{ mp4: { url: 'x' } }] },
      { type: 'room', roomId: id, roomType: 'co_hosts', status: 'waiting_reconnect', participants: [{ type: 'host' }] },
    ]

    expect(await load(await file(lines))).toMatchObject({ refused: 0, errors: [] })
    expect(await prisma.community.findUnique({ where: { communityId: id } })).toMatchObject({
      type: 'event',
      tags: ['a'],
      metadata: { deep: [1, null] },
    })
    expect(await prisma.feed.findUnique({ where: { feedId: id } })).toMatchObject({ feedType: 'declined' })
    expect(await prisma.channel.findUnique({ where: { channelId: id } })).toMatchObject({
      type: 'live',
      attachedPostId: 'p',
    })
    expect(await prisma.room.findUnique({ where: { roomId: id } })).toMatchObject({
      type: 'co_hosts',
      status: 'waiting_reconnect',
    })
    expect(await prisma.stream.findUnique({ where: { streamId: id } })).toMatchObject({
      recordings: [{ mp4: { url: 'x' } }],
    })
  })

  test('a held comment without queuedAt counts as held since it was written; a rejected one is deleted', async () => {
    const { userId, communityId, people } = community()
    const comment = {
      type: 'comment',
      userId,
      targetType: 'community',
      targetId: communityId,
      createdAt: '2026-01-02T03:04:05Z',
    }
    const [pending, rejected] = [own('comment'), own('comment')]
    const path = await file([
      ...people,
      { ...comment, commentId: pending, approvalStatus: 'pending' },
      { ...comment, commentId: rejected, approvalStatus: 'rejected', queuedAt: '2026-01-03T00:00:00Z' },
    ])

    await load(path)

    expect(await prisma.comment.findUnique({ where: { commentId: pending } })).toMatchObject({
      queuedAt: new Date('2026-01-02T03:04:05Z'),
      updatedAt: new Date('2026-01-02T03:04:05Z'),
      communityId,
      targetId: null,
    })
    expect(await prisma.comment.findUnique({ where: { commentId: rejected } })).toMatchObject({ isDeleted: true })
  })

  test('a comment without a target, on a post, belongs where the post does', async () => {
    const { communityId, userId, people } = community()
    const [postId, ownPostId] = [own('post'), own('post')]
    const comment = { type: 'comment', userId, referenceType: 'post' }
    const ids = [own('comment'), own('comment'), own('comment')]
    const path = await file([
      ...people,
      { type: 'post', postId, postedUserId: userId, targetType: 'community', targetId: communityId },
      { type: 'post', postId: ownPostId, postedUserId: userId, targetType: 'user', targetId: userId },
      { ...comment, commentId: ids[0], referenceId: postId },
      { ...comment, commentId: ids[1], referenceId: ownPostId },
      { ...comment, commentId: ids[2], referenceId: postId, targetType: 'content', targetId: 'elsewhere' },
    ])
    expect(await load(path)).toMatchObject({ added: { comment: 3 }, refused: 0 })

    const placed = await Promise.all(ids.map((commentId) => prisma.comment.findUnique({ where: { commentId } })))
    expect(placed).toMatchObject([
      { commentId: ids[0], targetType: 'community', communityId, targetId: null },
      { commentId: ids[1], targetType: 'user', communityId: null, targetId: userId },
      { commentId: ids[2], targetType: 'content', communityId: null, targetId: 'elsewhere' },
    ])
  })

  test('what was approved or rejected elsewhere counts once as a decision, which nobody can undo; what was never held does not', async () => {
    const { userId, communityId, people } = community()
    const target = { targetType: 'community', targetId: communityId, createdAt: '2026-01-02T03:04:05Z' }
    const comment = { type: 'comment', userId, data: { text: 'Cheap watches' }, ...target }
    const post = { type: 'post', postedUserId: userId, data: { title: 'Watches' }, ...target }
    const queuedAt = '2026-01-02T04:00:00Z'
    const ids = Array.from({ length: 6 }, () => own('item'))
    const path = await file([
      ...people,
      { ...comment, commentId: ids[0], approvalStatus: 'rejected', queuedAt, updatedAt: '2026-01-03T00:00:00Z' },
      { ...comment, commentId: ids[1], approvalStatus: 'approved' },
      { ...comment, commentId: ids[2] },
      { ...post, postId: ids[3], feedType: 'declined' },
      { ...post, postId: ids[4], queuedAt },
      { ...post, postId: ids[5] },
    ])
    await load(path)
    await load(path)

    const decisions = await prisma.decision.findMany({
      where: { subjectId: { in: ids } },
      orderBy: { decisionId: 'asc' },
    })
    expect(new Map(decisions.map(({ subjectId, outcome }) => [subjectId, outcome]))).toEqual(
      new Map([
        [ids[0], 'rejected'],
        [ids[1], 'approved'],
        [ids[3], 'rejected'],
        [ids[4], 'approved'],
      ]),
    )
    expect(decisions).toHaveLength(4)
    expect(decisions.find(({ subjectId }) => subjectId === ids[0])).toMatchObject({
      communityId,
      authorId: userId,
      decidedBy: null,
      decidedByName: 'Import',
      heldAt: new Date(queuedAt),
      decidedAt: new Date('2026-01-03T00:00:00Z'),
    })
    const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
    const condition = { kind: 'words', words: ['watches'] }
    const rule = await createRule(
      admin,
      NewRule.parse({ communityId, name: 'Watches', kinds: ['comment', 'post'], condition }),
    )
    const { together } = await backtest(admin, BacktestInput.parse({ ruleIds: [rule.ruleId] }))
    expect(together).toMatchObject({ judged: { rejected: 2, approved: 2 }, caught: { rejected: 2, approved: 2 } })
  })

  test('a number from 0 to 1 under metadata.toxicity becomes a signal, and nothing else there does', async () => {
    const { lines } = forum()
    const userId = own('user')
    const comment = (toxicity: unknown) => ({
      type: 'comment',
      commentId: own('comment'),
      userId,
      referenceType: 'content',
      referenceId: own('content'),
      data: { text: 'Scored' },
      metadata: { toxicity },
      createdAt: '2026-01-02T03:04:05.678Z',
    })
    const scored = [comment(0), comment(0.125), comment(1), ...[-0.1, 1.1, 1e300, '0.5', null, [0.5]].map(comment)]
    const path = await file([...lines, { type: 'user', userId }, ...scored])

    expect(await load(path)).toMatchObject({ refused: 0 })
    const ids = scored.map(({ commentId }) => commentId)
    const signals = await prisma.signal.findMany({ where: { subjectId: { in: ids } }, orderBy: { score: 'asc' } })
    expect(signals).toMatchObject(
      [0, 0.125, 1].map((score, index) => ({
        subjectType: 'comment',
        subjectId: ids[index],
        name: 'toxicity',
        score,
        measuredAt: new Date('2026-01-02T03:04:05.678Z'),
      })),
    )
  })

  test.each([
    ['2026-02-28T23:30:00+05:30', '2026-02-28T18:00:00.000Z'],
    ['2026-02-28T23:30:00.123987-0330', '2026-03-01T03:00:00.123Z'],
    ['2026-02-28T23:30Z', '2026-02-28T23:30:00.000Z'],
  ])('the time %s is stored as %s', async (createdAt, kept) => {
    const userId = own('user')
    await load(await file([{ type: 'user', userId, createdAt }]))
    const user = await prisma.user.findUniqueOrThrow({ where: { userId } })
    expect(user.createdAt.toISOString()).toBe(kept)
  })

  test.each([
    [['ReviewCommunityComment', 'EDIT_COMMUNITY'], 'community'],
    [['EDIT_MESSAGE'], 'channel'],
    [['EDIT_MESSAGE', 'EDIT_COMMUNITY'], 'network'],
    [['ManagePostAndComment'], 'network'],
  ])('a role with %j defaults to the scope %s', async (permissions, scope) => {
    const [roleId, otherwise] = [own('role'), own('role')]
    await load(
      await file([
        { type: 'role', roleId, permissions },
        { type: 'role', roleId: otherwise, permissions, scope: 'channel' },
      ]),
    )
    expect(await prisma.role.findUnique({ where: { roleId } })).toMatchObject({
      scope,
      permissions: permissions.map(upperCase),
    })
    expect(await prisma.role.findUnique({ where: { roleId: otherwise } })).toMatchObject({ scope: 'channel' })
  })

  test('counts equal a recount, including replies and comments on posts, in any order of records and files', async () => {
    const { lines } = forum()
    const [comments, rest] = [lines.filter(isReply), lines.filter((line) => !isReply(line))]

    await load(await file(rest))
    await load(await file(comments))
    await load(await file(forum().lines.toReversed()))

    expect(await tallies()).toEqual(await recount())
  })

  test('writes one audit row for what a file added; none if it added nothing', async () => {
    const path = await file([{ type: 'user', userId: own('user') }, { type: 'user' }])
    const auditOf = () => prisma.audit.findMany({ where: { action: 'import.finished' }, orderBy: { auditId: 'desc' } })
    const earlier = await auditOf()

    await load(path)
    await load(path)

    const rows = await auditOf()
    expect(rows).toHaveLength(earlier.length + 1)
    expect(rows[0]).toMatchObject({
      subjectType: 'import',
      subjectId: expect.stringMatching(/^[0-9a-f]{64}$/),
      source: 'cli',
      after: { added: { user: 1 }, unchanged: {}, refused: 1 },
    })
  })
})

/** Values beyond the limits of the interface, by the field that has them. */
const LONGER_THAN_WRITTEN = (
  [
    ['displayName', { type: 'user', userId: 'u', displayName: 'x'.repeat(101) }],
    ['profileHandle', { type: 'user', userId: 'u', profileHandle: 'x'.repeat(101) }],
    ['roles', { type: 'user', userId: 'u', roles: Array.from({ length: 21 }, (_, index) => `role-${index}`) }],
    ['roles.0', { type: 'user', userId: 'u', roles: ['x'.repeat(101)] }],
    ['roleId', { type: 'role', roleId: 'x'.repeat(101) }],
    ['displayName', { type: 'role', roleId: 'r', displayName: 'x'.repeat(101) }],
    ['rank', { type: 'role', roleId: 'r', rank: 1_000_001 }],
    ['tags', { type: 'community', communityId: 'c', tags: Array.from({ length: 11 }, String) }],
    ['categoryIds', { type: 'community', communityId: 'c', categoryIds: Array.from({ length: 101 }, String) }],
    ['tags', { type: 'channel', channelId: 'c', tags: Array.from({ length: 101 }, String) }],
    ['roles.0', { type: 'channelUser', channelId: 'c', userId: 'u', roles: ['x'.repeat(101)] }],
    [
      'tags',
      { type: 'message', messageId: 'm', channelId: 'c', userId: 'u', tags: Array.from({ length: 11 }, String) },
    ],
    ['tags.0', { type: 'message', messageId: 'm', channelId: 'c', userId: 'u', tags: ['x'.repeat(31)] }],
    ['hashtags', { type: 'post', postId: 'p', postedUserId: 'u', targetId: 'c', hashtags: Array(101).fill('x') }],
    ['mentionees', { type: 'comment', commentId: 'c', userId: 'u', mentionees: Array(11).fill({ type: 'user' }) }],
    [
      'mentionees.0.userIds',
      { type: 'comment', commentId: 'c', userId: 'u', mentionees: [{ type: 'user', userIds: Array(101).fill('u') }] },
    ],
    [
      'attachments',
      { type: 'comment', commentId: 'c', userId: 'u', attachments: Array(11).fill({ type: 'image', fileId: 'f' }) },
    ],
  ] satisfies [string, object][]
).map(([field, line]): [string, object, string] => [
  `more in ${field} of a ${line.type} than the interface takes`,
  line,
  `${field}: Too big`,
])

describe('feeds of messages', () => {
  test('a message is in a feed of its channel, which is made for it; either id of the channel means the main feed', async () => {
    const { userId, people } = community()
    const [channelId, other, feedId] = [own('channel'), own('channel'), own('feed')]
    const channels = [channelId, other].map((id) => ({ type: 'channel', channelId: id }))
    await load(await file([...people, ...channels]))
    const { internalId } = await prisma.channel.findUniqueOrThrow({ where: { channelId } })
    const message = { type: 'message', channelId, userId }
    const [older, newer, gone, byPublicId, byInternalId] = Array.from({ length: 5 }, () => own('message'))
    const path = await file([
      { ...message, messageId: older, messageFeedId: feedId, createdAt: '2026-01-01T00:00:00Z' },
      { ...message, messageId: newer, messageFeedId: feedId, createdAt: '2026-01-02T00:00:00Z' },
      { ...message, messageId: gone, messageFeedId: feedId, createdAt: '2026-01-03T00:00:00Z', isDeleted: true },
      { ...message, messageId: byPublicId, messageFeedId: channelId },
      { ...message, messageId: byInternalId, messageFeedId: internalId },
      { ...message, messageId: own('message'), channelId: other, messageFeedId: feedId },
      { ...message, messageId: own('message'), channelId: other, messageFeedId: internalId },
    ])

    const reason = `messageFeedId: Belongs to channel "${channelId}"`
    expect(await load(path)).toMatchObject({
      added: { message: 5 },
      refused: 2,
      errors: [
        { line: 6, reason },
        { line: 7, reason },
      ],
    })
    await load(path)
    expect(await prisma.messageFeed.findMany({ where: { channelId: { in: [channelId, other] } } })).toMatchObject([
      {
        messageFeedId: feedId,
        channelId,
        childCount: 2,
        lastMessageId: newer,
        messagePreviewId: newer,
        lastMessageTimestamp: new Date('2026-01-02T00:00:00Z'),
      },
    ])
    const inMainFeed = await prisma.message.findMany({ where: { channelId, messageFeedId: null } })
    expect(inMainFeed.map(({ messageId }) => messageId).toSorted()).toEqual([byPublicId, byInternalId].toSorted())
  })
})

describe('bad lines', () => {
  test.each([
    ['not JSON', '{"type":"user",', 'Not a JSON object'],
    ['not an object', '[1]', 'Not a JSON object'],
    ['no type', { userId: 'u' }, 'type: Must be one of community'],
    ['an unknown type', { type: 'constructor' }, 'type: Must be one of community'],
    ['no id', { type: 'user' }, 'userId: is missing'],
    ['a wrong type', { type: 'user', userId: 7 }, 'userId: Invalid input: expected string, received number'],
    [
      'an impossible value',
      { type: 'communityUser', communityId: 'c', userId: 'u', communityMembership: 'maybe' },
      'communityMembership: Invalid option: expected one of "none"|"member"|"banned"',
    ],
    [
      'a day that does not exist',
      { type: 'user', userId: 'u', createdAt: '2026-02-30T00:00:00Z' },
      'createdAt: Must be a valid time',
    ],
    [
      'a time without offset',
      { type: 'user', userId: 'u', createdAt: '2026-02-20T00:00:00' },
      'createdAt: Must be a valid time',
    ],
    [
      'a year no database knows',
      { type: 'user', userId: 'u', createdAt: '0000-02-20T00:00:00Z' },
      'createdAt: Must be a valid time',
    ],
    ['an id that is too long', { type: 'user', userId: 'u'.repeat(51) }, 'userId: Too big'],
    [
      'a text that is too long',
      { type: 'message', messageId: 'm', channelId: 'c', userId: 'u', data: { text: 'x'.repeat(20_001) } },
      'data.text: Must be at most 20,000 characters long',
    ],
    [
      'content that is too large',
      {
        type: 'message',
        messageId: 'm',
        channelId: 'c',
        userId: 'u',
        dataType: 'custom',
        data: { x: 'é'.repeat(51_200) },
      },
      'data: Must be at most 100 KB',
    ],
    [
      'a handle that nobody could read',
      { type: 'user', userId: 'u', profileHandle: '\u200b \u3164' },
      'profileHandle: must not be blank',
    ],
    [
      'an object of 51 levels',
      { type: 'user', userId: 'u', metadata: nested(51) },
      'is nested more than 50 levels deep',
    ],
    [
      'U+0000',
      '{"type":"user","userId":"u","displayName":"a\\u0000b"}',
      'displayName: contains a character that cannot be stored',
    ],
    [
      'half a surrogate pair',
      '{"type":"user","userId":"u","metadata":{"mood":"\\ud83d"}}',
      'metadata.mood: contains a character that cannot be stored',
    ],
    [
      'a number beyond all bounds',
      '{"type":"user","userId":"u","metadata":{"n":1e999}}',
      'metadata.n: is too large a number',
    ],
    [
      'endless nesting',
      `{"type":"user","userId":"u","metadata":{"n":${'['.repeat(90_000)}${']'.repeat(90_000)}}}`,
      'metadata.n.0: is nested more than 50 levels deep',
    ],
    [
      'queuedAt of what was never held',
      { type: 'comment', commentId: 'c', userId: 'u', queuedAt: '2026-02-20T00:00:00Z' },
      'queuedAt: Only allowed on a comment with approvalStatus',
    ],
    [
      'a held comment that no community reviews',
      {
        type: 'comment',
        commentId: 'c',
        userId: 'u',
        approvalStatus: 'pending',
        referenceType: 'post',
        referenceId: 'p',
      },
      'targetType: Must be community for a comment that waits for review',
    ],
    [
      'a held post on the feed of a user',
      { type: 'post', postId: 'p', postedUserId: 'u', targetType: 'user', targetId: 'u', feedType: 'reviewing' },
      'targetType: Must be community for a post that waits for review',
    ],
    [
      'a comment that is longer than one that is written',
      { type: 'comment', commentId: 'c', userId: 'u', data: { text: 'x'.repeat(20_001) } },
      'data.text: Must be at most 20,000 characters long',
    ],
    [
      'a post with a longer title than one that is written',
      { type: 'post', postId: 'p', postedUserId: 'u', targetId: 'c', data: { title: 'x'.repeat(20_001) } },
      'data.title: Must be at most 20,000 characters long',
    ],
    ...LONGER_THAN_WRITTEN,
    [
      'a community that does not exist',
      { type: 'comment', commentId: 'c', userId: 'u', targetType: 'community', targetId: 'nowhere' },
      'There is no community "nowhere"',
    ],
    ['a user who does not exist', { type: 'comment', commentId: 'c', userId: 'nobody' }, 'There is no user "nobody"'],
  ])('%s is reported with its line and reason, once, and the rest is added', async (_, line, reason) => {
    const userId = own('user')
    const report = await load(await file([line, { type: 'user', userId }]))
    expect(report).toMatchObject({
      added: { user: 1 },
      refused: 1,
      errors: [{ line: 1, reason: expect.stringContaining(reason) }],
    })
    expect(report.errors).toHaveLength(1)
  })

  test('values at the limits of the interface are accepted', async () => {
    const id = own('most')
    const many = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)
    const lines = [
      {
        type: 'user',
        userId: id,
        displayName: 'x'.repeat(100),
        profileHandle: id.padEnd(100, 'x'),
        metadata: nested(50),
      },
      { type: 'role', roleId: id.padEnd(100, 'x'), displayName: 'x'.repeat(100), rank: 1_000_000 },
      { type: 'community', communityId: id, displayName: 'x'.repeat(255), tags: many(10), categoryIds: many(100) },
      { type: 'channel', channelId: id, displayName: 'x'.repeat(255), tags: many(100) },
      { type: 'message', messageId: id, channelId: id, userId: id, tags: many(10).map((tag) => tag.padEnd(30, 'x')) },
    ]
    expect(await load(await file(lines))).toMatchObject({ refused: 0, errors: [] })
    const names = [{ type: 'user', userId: own('user'), displayName: '\u200b\u2060' }]
    await load(await file(names))
    expect(await prisma.user.findUnique({ where: { userId: names[0]?.userId ?? '' } })).toMatchObject({
      displayName: '',
    })
  })

  test('what would wait for review in a deleted community is refused, what was decided there is not, and again nothing changes', async () => {
    const { communityId, userId, people } = community()
    const target = { targetType: 'community', targetId: communityId }
    const comment = { type: 'comment', userId, ...target }
    const post = { type: 'post', postedUserId: userId, ...target }
    const [earlier, pending, held] = [own('comment'), own('comment'), own('post')]
    const before = await file([...people, { ...comment, commentId: earlier, approvalStatus: 'pending' }])
    expect(await load(before)).toMatchObject({ added: { comment: 1 }, refused: 0 })
    await prisma.community.update({ where: { communityId }, data: { isDeleted: true } })

    const reason = `Nobody can review it: community "${communityId}" is deleted`
    const lines = [
      { ...comment, commentId: pending, approvalStatus: 'pending' },
      { ...post, postId: held, feedType: 'reviewing' },
      { ...comment, commentId: own('comment'), approvalStatus: 'rejected' },
      { ...comment, commentId: own('comment'), approvalStatus: 'pending', isDeleted: true },
      { ...comment, commentId: own('comment') },
      { ...post, postId: own('post') },
    ]
    expect(await load(await file(lines))).toEqual({
      added: { comment: 3, post: 1 },
      unchanged: {},
      refused: 2,
      errors: [
        { line: 1, reason },
        { line: 2, reason },
      ],
    })
    expect(await load(before)).toMatchObject({ added: {}, unchanged: { comment: 1 }, refused: 0 })
  })

  test('a record that only the database can reject is rejected alone', async () => {
    const profileHandle = own('handle')
    const people = Array.from({ length: 40 }, (_, index) => ({
      type: 'user',
      userId: own('user'),
      ...([3, 30].includes(index) && { profileHandle }),
    }))
    expect(await load(await file(people))).toMatchObject({
      added: { user: 39 },
      refused: 1,
      errors: [{ line: 31, reason: 'profileHandle: Already taken by another user' }],
    })
  })

  test('reports the first hundred in the order of their lines, and counts all', async () => {
    const lines = Array.from({ length: 150 }, (_, index) =>
      index % 2 === 0 ? 'x' : { type: 'channelUser', channelId: 'nowhere', userId: 'nobody' },
    )
    const { refused, errors } = await load(await file(lines))
    expect(refused).toBe(150)
    expect(errors.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  })

  test('a bad line of several files names its file', async () => {
    const [good, bad] = [await file([{ type: 'user', userId: own('user') }]), await file(['x'])]
    expect((await loadFiles(ctx, { files: [good, bad], strict: false })).errors).toEqual([
      { file: bad, line: 1, reason: 'Not a JSON object' },
    ])
  })

  test.each([
    ['malformed', 'x', 'Not a JSON object'],
    ['naming nobody', { type: 'channelUser', channelId: 'nowhere', userId: 'nobody' }, 'There is no'],
  ])('in strict mode, a file with a line %s adds nothing', async (_, line, reason) => {
    const userId = own('user')
    const before = await everything()
    const report = await loadFiles(ctx, { files: [await file([{ type: 'user', userId }, line])], strict: true })
    expect(report).toEqual({
      added: {},
      unchanged: {},
      refused: 1,
      errors: [{ line: 2, reason: expect.stringContaining(reason) }],
    })
    expect(await everything()).toEqual(before)
  })

  test('in strict mode, a valid file is imported like any other', async () => {
    const { lines } = forum()
    const report = await loadFiles(ctx, { files: [await file(lines)], strict: true })
    expect(report).toMatchObject({ added: { comment: 3, message: 2 }, refused: 0 })
    expect(await tallies()).toEqual(await recount())
  })
})

describe('files', () => {
  test('detects gzip by its first bytes, in one chunk or several', async () => {
    const [one, other] = [userLine(), userLine()]
    expect(await load(await bytes(Buffer.concat([gzipSync(one), gzipSync(other)])))).toMatchObject({
      added: { user: 2 },
      refused: 0,
    })
  })

  test('rejects a file whose name says gzip and whose content isn’t', async () => {
    const path = `${await bytes(Buffer.from(userLine()))}.gz`
    await writeFile(path, Buffer.from([0x13, 0x37, 0x00, 0xff]))
    expect(await failureOf([path])).toEqual([`${path}: The name ends in .gz, but the file is not gzip data`])
  })

  test('accepts and counts lines with a byte order mark, CRLF, blank lines and no final line break', async () => {
    const content = `\uFEFF${userLine().trim()}\r\n\r\n  \n${userLine()}x\r\n${userLine().trim()}`
    expect(await load(await bytes(Buffer.from(content)))).toEqual({
      added: { user: 3 },
      unchanged: {},
      refused: 1,
      errors: [{ line: 5, reason: 'Not a JSON object' }],
    })
  })

  test('an empty file adds nothing', async () => {
    expect(await load(await bytes(Buffer.alloc(0)))).toEqual({ added: {}, unchanged: {}, refused: 0, errors: [] })
  })

  test('a line over 4 MB and one that is not UTF-8 are bad lines', async () => {
    const content = Buffer.concat([
      Buffer.alloc(LINE_LIMIT_BYTES + 1, 'x'),
      Buffer.from(`\n"\xff"\n`, 'latin1'),
      Buffer.from(userLine()),
    ])
    expect(await load(await bytes(content))).toMatchObject({
      added: { user: 1 },
      errors: [
        { line: 1, reason: 'The line is longer than 4 MB' },
        { line: 2, reason: 'The line is not UTF-8' },
      ],
    })
  })

  test.each([
    ['that ends too early', (whole: Buffer) => whole.subarray(0, -20), 'The gzip data is incomplete'],
    [
      'that is damaged',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, 60), Buffer.alloc(200, 0xff)]),
      'The gzip data is corrupt',
    ],
  ])('gzip data %s fails with a clear message, and no file adds anything', async (_, spoil, words) => {
    const good = await bytes(Buffer.from(userLine()))
    const spoilt = await bytes(spoil(gzipSync(Array.from({ length: 500 }, userLine).join(''))))
    const before = await everything()

    expect(await failureOf([good, spoilt])).toEqual([`${spoilt}: ${words}`])
    expect(await everything()).toEqual(before)
  })

  test('if one file is missing or a folder, none is imported', async () => {
    const good = await bytes(Buffer.from(userLine()))
    const missing = join(folder, 'missing.ndjson')
    const before = await everything()

    expect(await failureOf([good, missing])).toEqual([`${missing}: File not found`])
    expect(await failureOf([good, folder])).toEqual([`${folder}: This is a folder`])
    expect(await everything()).toEqual(before)
  })

  test('progress ends at the total bytes of all passes', async () => {
    const seen: number[][] = []
    await loadFiles(ctx, {
      files: [await file(forum().lines)],
      strict: false,
      onProgress: (read, total) => seen.push([read, total]),
    })
    const [read, total] = seen.at(-1) ?? []
    expect(read).toBe(total)
  })
})

const COMMENTS = IS_STRESS ? 8_000 : 3_500
const BATCH = 1_000
const KILLS: [batches: number, cut: TestDatabase, whole: TestDatabase][] = []
for (let index = 0; index < scaled(0.5); index += 1)
  KILLS.push([2 + (index % 5), await testDatabase(), await testDatabase()])

test.each(
  KILLS,
)('killed in the middle of a batch it leaves the %i batches before it, and a second run completes it as if never interrupted', async (batches, {
  database: cut,
  url,
}, { database: whole }) => {
  const { userId, communityId, people } = community()
  const comments = Array.from({ length: COMMENTS }, (_, index) => ({
    type: 'comment',
    commentId: `c${index}`,
    userId,
    targetType: 'community',
    targetId: communityId,
    data: { text: `Comment ${index}` },
    ...(index % 3 === 0 && { approvalStatus: 'pending' }),
    ...(index % 5 === 0 && { parentId: `c${index + 7}` }),
    createdAt: '2026-05-01T00:00:00Z',
  }))
  const path = await file([...people.map((line) => ({ ...line, createdAt: '2026-01-01T00:00:00Z' })), ...comments])

  const left = batches * BATCH
  await killAt(`c${left + BATCH / 2}`, { database: cut, url, path })
  expect(Number((await cut.pool.query('select count(*) from comment')).rows[0].count)).toBe(left)
  expect(await tallies(cut.pool)).toEqual(await recount(cut.pool))

  const again = await loadFiles(systemCtx(cut), { files: [path], strict: false })
  await loadFiles(systemCtx(whole), { files: [path], strict: false })
  expect(again).toMatchObject({ added: { comment: COMMENTS - left }, unchanged: { comment: left } })
  expect(await everything(cut.pool)).toEqual(await everything(whole.pool))
  expect(await tallies(cut.pool)).toEqual(await recount(cut.pool))
})

test('imports real files completely, numbers the channel by time, and changes nothing the second time', async ({
  skip,
}) => {
  skip(REAL_FILES === undefined, 'DOCKET_DATA names no folder that holds them')
  const [talk, chat] = await Promise.all([
    realFile('wikitalk.ndjson.gz', 1_500),
    realFile('ubuntu-irc.ndjson.gz', 1_500),
  ])
  const files = [talk.path, chat.path]
  const user = (talk.counts.user ?? 0) + (chat.counts.user ?? 0)
  const counts = { ...talk.counts, ...chat.counts, user }

  expect(await loadFiles(systemCtx(real), { files, strict: false })).toEqual({
    added: counts,
    unchanged: {},
    refused: 0,
    errors: [],
  })
  expect(await outOfOrder(real.pool)).toEqual([])
  expect(await loadFiles(systemCtx(real), { files, strict: false })).toEqual({
    added: {},
    unchanged: counts,
    refused: 0,
    errors: [],
  })
  expect(await tallies(real.pool)).toEqual(await recount(real.pool))
})

/** Messages whose segment isn't their place in the channel, in the order in which lists have them. */
async function outOfOrder(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query(`
    select * from (
      select message_id, channel_segment, row_number() over (partition by channel_id order by created_at, message_id desc) as place
      from message) as numbered
    where channel_segment is distinct from place limit 5`)
  return rows
}

function load(path: string) {
  return loadFiles(ctx, { files: [path], strict: false })
}

async function failureOf(files: string[]): Promise<unknown> {
  const error = await loadFiles(ctx, { files, strict: false }).catch((error: unknown) => error)
  return error instanceof DomainError && error.details && 'detail' in error.details ? error.details.detail : error
}

function file(lines: (object | string)[]): Promise<string> {
  return bytes(Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')))
}

async function bytes(content: Buffer): Promise<string> {
  const path = join(folder, own('file'))
  await writeFile(path, content)
  return path
}

function userLine(): string {
  return `${JSON.stringify({ type: 'user', userId: own('user') })}\n`
}

function community() {
  const [communityId, userId] = [own('community'), own('user')]
  const people = [
    { type: 'community', communityId },
    { type: 'user', userId },
    { type: 'communityUser', communityId, userId, communityMembership: 'member', roles: ['community-moderator'] },
  ]
  return { communityId, userId, people }
}

/** A community with a post, a thread and a channel: everything that has counts. */
function forum() {
  const { communityId, userId, people } = community()
  const [postId, commentId, channelId, guest] = [own('post'), own('comment'), own('channel'), own('user')]
  const comment = {
    type: 'comment',
    userId,
    referenceType: 'post',
    referenceId: postId,
    targetType: 'community',
    targetId: communityId,
  }
  const message = { type: 'message', channelId, userId, data: { text: 'Hello' } }
  const lines = [
    ...people,
    { type: 'user', userId: guest },
    { type: 'communityUser', communityId, userId: guest, communityMembership: 'banned' },
    {
      type: 'post',
      postId,
      postedUserId: userId,
      targetType: 'community',
      targetId: communityId,
      feedId: 'feed',
      commentsCount: 99,
    },
    { ...comment, commentId, approvalStatus: 'pending' },
    { ...comment, commentId: own('comment'), parentId: commentId },
    { ...comment, commentId: own('comment'), parentId: commentId, approvalStatus: 'pending', isDeleted: true },
    { type: 'channel', channelId, createdAt: '2026-01-01T00:00:00Z' },
    { type: 'channelUser', channelId, userId, membership: 'member' },
    { ...message, messageId: own('message') },
    { ...message, messageId: own('message'), isDeleted: true },
  ]
  return { lines, commentId }
}

/** An object with so many levels, itself included. */
function nested(levels: number): object {
  return levels === 1 ? {} : { inner: nested(levels - 1) }
}

function isReply(line: object): boolean {
  return 'parentId' in line
}

function upperCase(permission: string): string {
  return (
    { ReviewCommunityComment: 'REVIEW_COMMUNITY_COMMENT', ManagePostAndComment: 'MANAGE_POST_AND_COMMENT' }[
      permission
    ] ?? permission
  )
}

const GIVEN_IDS = `- 'internal_id' - 'created_at' - 'updated_at' - 'last_activity' - 'queued_at' - 'last_message_at'`
const TABLES = ['community', 'network_user', 'community_user', 'post', 'comment', 'channel', 'channel_user', 'message']

/** A digest of every row, without values that differ between imports. */
async function everything(from = pool): Promise<Record<string, string>> {
  const digests = TABLES.map(
    (table) =>
      `select '${table}' as name, md5(string_agg(row, '' order by row)) as digest from (select (to_jsonb(t) ${GIVEN_IDS})::text as row from ${table} t) rows`,
  )
  const { rows } = await from.query(digests.join(' union all '))
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

async function tallies(from = pool) {
  const { rows } = await from.query(
    'select kind::text, subject_id, sum(delta)::int as total from tally_delta group by 1, 2 order by 1, 2',
  )
  return rows
}

async function recount(from = pool) {
  const { rows } = await from.query(`
    select * from (
      select 'held_comments' as kind, community_id as subject_id, count(*)::int as total from comment
        where approval_status = 'pending' and not is_deleted group by 2 union all
      select 'community_members', community_id, count(*)::int from community_user where membership = 'member' group by 2 union all
      select 'community_moderators', community_id, count(*)::int from community_user
        where membership = 'member' and roles @> '{community-moderator}' group by 2 union all
      select 'community_posts', community_id, count(*)::int from post
        where feed_type = 'published' and not is_deleted and parent_post_id is null and community_id is not null group by 2 union all
      select 'feed_posts', feed_id, count(*)::int from post
        where feed_id is not null and not is_deleted and parent_post_id is null group by 2 union all
      select 'channel_members', channel_id, count(*)::int from channel_user where membership = 'member' group by 2 union all
      select 'channel_messages', channel_id, count(*)::int from message where not is_deleted group by 2 union all
      select 'comment_children', parent_id, count(*)::int from comment
        where parent_id is not null and not is_deleted and (approval_status is null or approval_status = 'approved') group by 2 union all
      select 'post_comments', reference_id, count(*)::int from comment
        where reference_type = 'post' and not is_deleted and (approval_status is null or approval_status = 'approved') group by 2) counted
    order by 1, 2`)
  return rows
}

/** Runs an import in a process of its own, and kills it without warning while it adds this comment. */
async function killAt(
  commentId: string,
  { database, url, path }: { database: Database; url: string; path: string },
): Promise<void> {
  const letGo = await holdUp(database, commentId)
  const script = `
    import { openDatabase } from '#server/core/database/open-database.ts'
    import { loadFiles } from '#server/modules/integrations/imports/load-files.ts'
    import { systemCtx } from '#server/testing/ctx.ts'
    const database = openDatabase({ url: ${JSON.stringify(url)}, connections: 2, onError: () => {} })
    await loadFiles(systemCtx(database), { files: [${JSON.stringify(path)}], strict: false })`
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, NODE_COMPILE_CACHE: join(ROOT, '.docket/test/compile-cache') },
    },
  )
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  await waitForLockWaiter(database)
  child.kill('SIGKILL')
  await ended
  await letGo()
  await eventually('its connections have ended', async () => {
    const { rows } = await database.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    )
    return rows.length
  }).toBe(0)
}

/** A transaction that adds this comment waits, until the returned function is called. */
async function holdUp({ pool }: Database, commentId: string): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('begin')
  // Without the checks that its author exists.
  await client.query("set local session_replication_role = 'replica'")
  await client.query('insert into comment (comment_id, user_id) values ($1, $2)', [commentId, 'nobody'])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}
