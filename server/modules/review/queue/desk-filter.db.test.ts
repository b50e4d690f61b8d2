import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'
import { findAuthors } from '#server/modules/review/queue/find-authors.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskFilter, DeskQueueInput, QueueView } from '#server/modules/review/queue/schema.ts'
import { asAdmin, asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { FOLDED_PAIRS } from '#server/testing/folded-pairs.ts'
import { sampled } from '#server/testing/scaled.ts'

const { database, make } = await testDatabase()
const NOW = new Date('2026-11-15T12:00:00Z')
const MINUTE_MS = 60_000
const as = (actor: Actor) => ctxOf(database, actor, { now: () => NOW })
const nameOf = ({ subjectType, subjectId }: Subject) => `${subjectType} ${subjectId}`

/** One pending item, in the filter's terms. */
interface Waiting extends Subject {
  communityId: string
  postId: string | undefined
  authorId: string
  words: string
  hasMedia: boolean
  isFlagged: boolean
  isEscalated: boolean
  isRuled: boolean
  /** In hundredths. */
  score: number | undefined
  createdAt: Date
  queuedAt: Date
}

const WORDS = ['The ferry runs again', 'the FERRY is late', 'a calm day', 'fer ry', 'Ферри, ferry']

/**
 * Comments and posts of two communities. Each trait repeats at its own interval, so that traits mix; every third pair of a
 * comment and a post has the same time, and all pairs have the same ids.
 */
async function mixedQueue() {
  const spaces = ['harbour', 'market']
  for (const communityId of spaces) await make.community({ communityId })
  const [ana, ben] = [
    await make.user({ userId: 'ana', displayName: 'Ana' }),
    await make.user({ userId: 'ben', displayName: 'Ben' }),
  ]
  const threads = await Promise.all(
    spaces.map((communityId) => make.post({ communityId, postId: `${communityId}-thread` })),
  )
  const pick = <Value>(values: Value[], index: number) => values[index % values.length] as Value

  const waiting = Array.from({ length: 120 }, (_, index): Waiting & { media: string | undefined } => {
    const [subjectType, pair] =
      index % 2 === 0 ? (['comment', index / 2] as const) : (['post', (index - 1) / 2] as const)
    const media = pick(['image', undefined, 'video'], Math.floor(index / 5))
    return {
      subjectType,
      subjectId: `item-${String(pair).padStart(2, '0')}`,
      communityId: pick(spaces, pair),
      postId: subjectType === 'comment' && pair % 4 < 2 ? pick(threads, pair).postId : undefined,
      authorId: pick([ana.userId, ben.userId], Math.floor(index / 3)),
      words: pick(WORDS, index),
      media,
      hasMedia: media !== undefined,
      isFlagged: index % 7 < 4,
      isEscalated: index % 11 < 4,
      isRuled: index % 13 < 9,
      score: pick([0, 35, undefined, 69, 70, 100, 34], Math.floor(index / 2)),
      createdAt: new Date(Date.UTC(2026, 9, 24 + (index % 3), (index * 7) % 24, 30)),
      queuedAt: new Date(NOW.getTime() - ((pair % 3 === 0 ? pair : index) % 17) * 10 * MINUTE_MS),
    }
  })
  const rule = { ruleId: 'ferries', name: 'Ferries', position: 0, ownerId: 'someone', createdAt: NOW, updatedAt: NOW }
  const { ruleId } = await database.prisma.rule.create({
    data: {
      ...rule,
      versions: {
        create: {
          version: 1,
          kinds: ['comment', 'post'],
          condition: {},
          action: { type: 'hold' },
          createdBy: '',
          createdAt: NOW,
        },
      },
    },
  })
  for (const each of waiting) {
    await hold(each)
    await mark(each, ruleId)
  }
  // Sees nothing that other tests hold.
  const reviewer = await make.reviewerOf(spaces[0] ?? '')
  await make.member({ communityId: spaces[1] ?? '', userId: reviewer.userId, roles: ['community-moderator'] })
  return { spaces, ana, threads, waiting, ruleId, reviewer }
}

/** What a rule and a classifier say of it. */
async function mark({ subjectType, subjectId, isRuled, score }: Waiting, ruleId: string): Promise<void> {
  const subject = { subjectType, subjectId }
  if (isRuled)
    await database.prisma.ruleMatch.create({
      data: { ...subject, ruleId, version: 1, isLive: true, found: [], createdAt: NOW },
    })
  const measured = { measuredAt: NOW, receivedAt: NOW }
  await database.prisma.signal.create({ data: { ...subject, ...measured, name: 'other', score: 0.5 } })
  if (score === undefined) return
  await database.prisma.signal.create({ data: { ...subject, ...measured, name: 'toxicity', score: score / 100 } })
}

async function hold({ media, words, ...waits }: Waiting & { media: string | undefined }): Promise<void> {
  const { subjectType, subjectId, communityId, createdAt, queuedAt } = waits
  const held = { communityId, createdAt, queuedAt, flagCount: waits.isFlagged ? 2 : 0, data: { text: words } }
  if (subjectType === 'comment') {
    await make.heldComment({
      ...held,
      commentId: subjectId,
      userId: waits.authorId,
      dataTypes: media ? ['text', media] : ['text'],
      ...(waits.postId && { referenceId: waits.postId }),
    })
  } else {
    // A video belongs to the post itself; an image is attached to it.
    await make.heldPost({
      ...held,
      postId: subjectId,
      postedUserId: waits.authorId,
      dataType: media === 'video' ? 'video' : 'text',
    })
    if (media === 'image') await attach({ ...waits, dataType: media })
  }
  if (waits.isEscalated) await escalate(waits)
}

function attach({ subjectId, communityId, authorId, dataType }: Omit<Waiting, 'words'> & { dataType: string }) {
  return database.prisma.post.create({
    data: {
      postId: `${subjectId}-attached`,
      parentPostId: subjectId,
      postedUserId: authorId,
      communityId,
      feedType: 'reviewing',
      queuedAt: NOW,
      dataType,
    },
  })
}

function escalate({ subjectType, subjectId }: Subject) {
  return make.escalated({ subjectType, subjectId }, { escalatedAt: NOW })
}

type Filter = Omit<Partial<DeskQueueInput>, 'timeZone'> & { timeZone?: string }
const mixed = await mixedQueue()

/** The items that pass the filter, checked one by one; newest held first, then by id, comments before posts. */
function bruteForce(filter: Filter): string[] {
  const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone: filter.timeZone ?? 'UTC', dateStyle: 'short' })
  const newestFirst = mixed.waiting
    .filter(
      (each) =>
        each.isEscalated === (filter.view === 'escalated') &&
        (filter.communityId === undefined || each.communityId === filter.communityId) &&
        (filter.postId === undefined
          ? filter.kind === undefined || each.subjectType === filter.kind
          : each.postId === filter.postId) &&
        (filter.startDate === undefined || dayIn.format(each.createdAt) >= filter.startDate) &&
        (filter.endDate === undefined || dayIn.format(each.createdAt) <= filter.endDate) &&
        (filter.authorId === undefined || each.authorId === filter.authorId) &&
        (filter.text === undefined || each.words.toLowerCase().includes(filter.text.toLowerCase())) &&
        (!filter.hasMedia || each.hasMedia) &&
        (!filter.isFlagged || each.isFlagged) &&
        (filter.ruleId === undefined || each.isRuled) &&
        (filter.signal === undefined || isScored(each, filter)) &&
        (filter.heldForMinutes === undefined ||
          NOW.getTime() - each.queuedAt.getTime() >= filter.heldForMinutes * MINUTE_MS),
    )
    .sort(
      (one, other) =>
        other.queuedAt.getTime() - one.queuedAt.getTime() ||
        (nameOf(one) !== nameOf(other) && keyOf(one) < keyOf(other) ? -1 : 1),
    )
    .map(nameOf)
  return filter.order === 'oldest' ? newestFirst.toReversed() : newestFirst
}

function isScored({ score }: Waiting, { scoreFrom = 0, scoreUnder = 2 }: Filter): boolean {
  return score !== undefined && score >= Math.round(scoreFrom * 100) && score < Math.round(scoreUnder * 100)
}

const keyOf = ({ subjectId, subjectType }: Subject) => `${subjectId} ${subjectType}`

/** Reads the whole list, page by page. */
async function listed(ctx: Ctx, filter: Filter, limit: number): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await listDeskQueue(ctx, DeskQueueInput.parse({ ...filter, limit, ...(cursor && { cursor }) }))
    found.push(...page.items.map(nameOf))
    cursor = page.next
  } while (cursor !== undefined)
  return found
}

/** Of each part, one filter or none can be chosen. */
const PARTS: Filter[][] = [
  [{ communityId: mixed.spaces[0] ?? '' }],
  [{ kind: 'comment' }, { kind: 'post' }],
  [{ postId: mixed.threads[0]?.postId ?? '' }],
  [{ startDate: '2026-10-25', endDate: '2026-10-25', timeZone: 'Europe/Berlin' }],
  [{ authorId: mixed.ana.userId }],
  [{ text: 'Ferry' }],
  [{ hasMedia: true }],
  [{ isFlagged: true }],
  [{ heldForMinutes: 60 }],
  [{ ruleId: mixed.ruleId }],
  [
    { signal: 'toxicity' },
    { signal: 'toxicity', scoreFrom: 0.35, scoreUnder: 0.7 },
    { signal: 'toxicity', scoreFrom: 0.7 },
  ],
]

/** None, each filter alone, every two together, and of more than two a sample in the daily suite. */
function mixesOf(parts: Filter[][]): Filter[] {
  const mixes = parts.reduce<Filter[][]>(
    (mixes, part) => mixes.flatMap((mix) => [mix, ...part.map((more) => [...mix, more])]),
    [[]],
  )
  const few = mixes.filter((mix) => mix.length <= 2)
  const many = mixes.filter((mix) => mix.length > 2)
  return [...few, ...sampled(many, 40)].map((mix): Filter => Object.assign({}, ...mix))
}

describe.each(['waiting', 'escalated'] as const)('the %s view', (view) => {
  const ctx = as(mixed.reviewer)

  test('filters alone and combined list the same items as a check of each one, in order, and count them', async () => {
    const mixes = mixesOf(PARTS)
    const matching = mixes.map((mix, index) => ({ ...mix, view, order: index % 2 ? 'oldest' : 'newest' }) as const)
    let found = 0
    for (let start = 0; start < matching.length; start += 8) {
      await Promise.all(
        matching.slice(start, start + 8).map(async (filter) => {
          const expected = bruteForce(filter)
          found += expected.length
          expect(await listed(ctx, filter, 100), JSON.stringify(filter)).toEqual(expected)
          const { count } = await countMatching(ctx, DeskFilter.parse(filter))
          expect(count, JSON.stringify(filter)).toBe(expected.length)
        }),
      )
    }
    expect(found).toBeGreaterThan(mixes.length)
  })

  test.each(
    sampled(
      [{}, ...PARTS.flat()].flatMap((filter) => [filter, { ...filter, order: 'oldest' as const }]),
      9,
    ),
  )('pages of any size join without a gap or a repeat: %j', async (filter) => {
    const expected = bruteForce({ ...filter, view })
    expect(expected.length).toBeGreaterThan(2)
    for (const limit of [1, 2, 7]) expect(await listed(ctx, { ...filter, view }, limit)).toEqual(expected)
  })
})

test('held longer than counts to the exact minute', async () => {
  const { communityId } = await make.community()
  const at = (ms: number) => make.heldComment({ communityId, queuedAt: new Date(NOW.getTime() - ms) })
  const [just, longer] = [await at(30 * MINUTE_MS), await at(30 * MINUTE_MS + 1)]
  await at(30 * MINUTE_MS - 1)

  expect(await listed(as(asAdmin()), { communityId, heldForMinutes: 30 }, 10)).toEqual(
    [just, longer].map(({ commentId }) => `comment ${commentId}`),
  )
})

describe('text is matched literally', () => {
  const SAID = [
    '100% sure',
    '100 percent sure',
    'snake_case',
    'snakeXcase',
    String.raw`C:\temp`,
    'C:temp',
    "it's so",
    'its so',
    '"quoted" words',
    '東京の天気',
    '京都の天気',
    'Über ÉCOLE',
    'uber ecole',
    'İstanbul',
    '😀 grin',
  ]

  test.each([
    ['100%', ['100% sure']],
    ['%', ['100% sure']],
    ['_', ['snake_case']],
    ['e_c', ['snake_case']],
    [String.raw`:\t`, [String.raw`C:\temp`]],
    ['\\', [String.raw`C:\temp`]],
    ["'", ["it's so"]],
    ['"quoted"', ['"quoted" words']],
    ['東京', ['東京の天気']],
    ['京', ['東京の天気', '京都の天気']],
    ['の天気', ['東京の天気', '京都の天気']],
    ['über école', ['Über ÉCOLE', 'uber ecole']],
    ['😀', ['😀 grin']],
    ['% s', ['100% sure']],
    ['nobody said this', []],
  ])('%s', async (text, expected) => {
    const found = await listed(as(asAdmin()), { communityId: await said(), text }, 100)
    expect(found.sort()).toEqual(expected.flatMap((words) => [`comment ${words}`, `post ${words}`]).sort())
  })

  let space: Promise<string> | undefined
  /** A community where each text is in a comment and in a post, all held at one time and found by their text. */
  function said(): Promise<string> {
    space ??= (async () => {
      const { communityId } = await make.community()
      for (const words of SAID) {
        const held = { communityId, queuedAt: NOW, data: { text: words } }
        await make.heldComment({ ...held, commentId: words })
        await make.heldPost({ ...held, postId: words })
      }
      return communityId
    })()
    return space
  }
})

test('finds a post by its title too, which is part of its text', async () => {
  const { communityId } = await make.community()
  const { postId } = await make.heldPost({ communityId, data: { title: 'High water', text: 'at the quay' } })
  expect(await listed(as(asAdmin()), { communityId, text: 'high WATER' }, 10)).toEqual([`post ${postId}`])
  expect(await listed(as(asAdmin()), { communityId, text: 'quay' }, 10)).toEqual([`post ${postId}`])
})

describe('reviewers of comments only, or posts only', () => {
  async function reviewerWith(permission: string, communityId: string): Promise<Actor> {
    const roleId = `only-${permission}`
    await database.prisma.role.upsert({
      where: { roleId },
      create: { roleId, scope: 'community', rank: 10, permissions: [permission] },
      update: {},
    })
    const { userId } = await make.user()
    await make.member({ communityId, userId, roles: [roleId] })
    return asUser(userId)
  }

  test.each([
    ['REVIEW_COMMUNITY_COMMENT', 'comment', 'post'],
    ['REVIEW_COMMUNITY_POST', 'post', 'comment'],
  ] as const)('%s: sees, counts and names nothing else', async (permission, seen, hidden) => {
    const { communityId } = await make.community()
    const elsewhere = await make.heldPost()
    const { commentId } = await make.heldComment({ communityId })
    const { postId } = await make.heldPost({ communityId })
    const escalated = [await make.heldComment({ communityId }), await make.heldPost({ communityId })] as const
    await escalate({ subjectType: 'comment', subjectId: escalated[0].commentId })
    await escalate({ subjectType: 'post', subjectId: escalated[1].postId })
    const ctx = as(await reviewerWith(permission, communityId))
    const idOf = { comment: commentId, post: postId }
    const escalatedId = { comment: escalated[0].commentId, post: escalated[1].postId }

    expect(await listed(ctx, {}, 10)).toEqual([`${seen} ${idOf[seen]}`])
    expect(await listed(ctx, { kind: hidden }, 10)).toEqual([])
    expect(await listed(ctx, { view: 'escalated' }, 10)).toEqual([`${seen} ${escalatedId[seen]}`])
    expect(await countQueue(ctx)).toMatchObject({ total: 1, escalated: 1, communities: [{ communityId, held: 1 }] })
    expect(await countMatching(ctx, DeskFilter.parse({ text: 'words' }))).toMatchObject({ count: 1 })
    expect(await countMatching(ctx, DeskFilter.parse({ kind: hidden }))).toMatchObject({ count: 0 })
    expect(
      await listDeskQueue(ctx, DeskQueueInput.parse({ communityId: elsewhere.communityId })).catch(failureOf),
    ).toBe('FORBIDDEN')
  })
})

test('shows the names behind ids only to those who review their content', async () => {
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const author = await make.user({ displayName: 'Ana' })
  await make.heldPost({ communityId, postedUserId: author.userId })
  const stranger = await make.user({ displayName: 'Ben' })
  await make.heldPost({ postedUserId: stranger.userId })
  const named = async (authorId: string) =>
    (await listDeskQueue(as(reviewer), DeskQueueInput.parse({ authorId }))).narrowedTo

  expect(await named(author.userId)).toEqual({ author: { userId: author.userId, displayName: 'Ana' } })
  expect(await named(stranger.userId)).toEqual({})
  expect(await named('nobody')).toEqual({})
})

const PLACE = { heldAt: '2026-01-01T00:00:00.000Z', subjectType: 'comment', subjectId: 'a' }

test.each([
  ['nothing', {}],
  ['an id that no column can hold', { ...PLACE, subjectId: 'a\0' }],
  ['half a character in its id', { ...PLACE, subjectId: '\ud800' }],
  ['a place in another order', { ...PLACE, urgentAt: PLACE.heldAt }],
])('rejects a cursor with %s', async (_, position) => {
  const cursor = Buffer.from(JSON.stringify(position)).toString('base64')
  for (const view of QueueView.options) {
    const refused = listDeskQueue(as(asAdmin()), DeskQueueInput.parse({ view, cursor }))
    expect(await refused.catch(failureOf)).toBe('INVALID_PARAMETERS')
  }
})

test('finds authors by part of their name or id, only where the caller reviews their pending items', async () => {
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const mark = randomUUID().slice(0, 8)
  const person = (name: string) => make.user({ displayName: `${name} ${mark}` })
  const [commenter, poster, decided, elsewhere] = [
    await person('Zoé 100%'),
    await person('Adam'),
    await person('Decided'),
    await person('Elsewhere'),
  ]
  await make.heldComment({ communityId, userId: commenter.userId })
  await make.heldPost({ communityId, postedUserId: poster.userId })
  await make.heldComment({ communityId, userId: decided.userId, approvalStatus: 'approved' })
  await make.heldComment({ userId: elsewhere.userId })
  const found = async (name: string, actor: Actor = reviewer) =>
    (await findAuthors(as(actor), { name })).map(({ displayName }) => displayName)

  expect(await found(mark)).toEqual([`Adam ${mark}`, `Zoé 100% ${mark}`])
  expect(await found(`zOÉ 100% ${mark}`)).toEqual([`Zoé 100% ${mark}`])
  expect(await found(`% ${mark}`)).toEqual([`Zoé 100% ${mark}`])
  expect(await found(poster.userId.slice(3))).toEqual([`Adam ${mark}`])
  expect(await found(mark, asAdmin())).toHaveLength(3)
  expect(await found(mark, asUser(commenter.userId))).toEqual([])
})

test.each([
  ...FOLDED_PAIRS,
  ['a_b\\', 'xa_b\\y'],
])('the text filter finds %j in %j, in comments and in posts', async (words, written) => {
  const { communityId } = await make.community()
  const { commentId } = await make.heldComment({ communityId, createdAt: NOW, data: { text: written } })
  const { postId } = await make.heldPost({ communityId, createdAt: NOW, data: { title: 'Title', text: written } })
  await make.heldComment({ communityId, data: { text: 'x' } })
  const found = await listed(as(asAdmin()), { communityId, text: words }, 10)
  expect(found.sort()).toEqual([`comment ${commentId}`, `post ${postId}`])
})

test.each([
  ['50%', '500 off'],
  ['50％', '500 off'],
  ['a_b', 'axb'],
  ['가', '각'],
  ['\u200b', 'any words'],
])('the text filter does not find %j in %j', async (words, written) => {
  const { communityId } = await make.community()
  await make.heldComment({ communityId, data: { text: written } })
  expect(await listed(as(asAdmin()), { communityId, text: words }, 10)).toEqual([])
})
