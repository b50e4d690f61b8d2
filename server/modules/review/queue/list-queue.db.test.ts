import { describe, expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import type { Deciding, Subject } from '#server/modules/review/decisions/schema.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { DeskFilter, DeskQueueInput, ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { asAdmin, asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const decideComment = (ctx: Ctx, { commentId, ...deciding }: Deciding & { commentId: string }) =>
  decide(ctx, { subjectType: 'comment', subjectId: commentId, ...deciding })

const onComment = (subjectId: string) => ({ subjectType: 'comment', subjectId }) as const
const itemIdsOf = (items: Subject[]) => items.map(({ subjectId }) => subjectId)

const { database, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)
const idsOf = (list: { commentId: string }[]) => list.map((one) => one.commentId)

/** A queue whose written and held times differ, with ties, over two posts, around clock changes in three zones. */
async function busyQueue() {
  const { communityId } = await make.community()
  const posts = [await make.post({ communityId }), await make.post({ communityId })]
  const { userId } = await make.user()
  const days = ['2026-03-28', '2026-03-29', '2026-03-30', '2026-11-01', '2011-10-29', '2011-10-30']
  const held = []
  for (const [index, day] of days.flatMap((day) => Array.from({ length: 24 }, () => day)).entries()) {
    const createdAt = new Date(Date.parse(`${day}T00:00Z`) + (index % 24) * 3_600_000 + (index % 7) * 300_000)
    held.push(
      await make.heldComment({
        communityId,
        userId,
        createdAt,
        queuedAt: new Date(Date.UTC(2027, 0, 1) + ((index * 37) % 50) * 60_000),
        ...(index % 3 !== 0 && { referenceId: posts[index % 2]?.postId ?? '' }),
      }),
    )
  }
  return {
    communityId,
    posts,
    held: held.sort(
      (one, other) =>
        (other.queuedAt?.getTime() ?? 0) - (one.queuedAt?.getTime() ?? 0) || (one.commentId < other.commentId ? -1 : 1),
    ),
  }
}

/** The date of an instant in a zone, by Intl alone. */
function dayIn(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (at) => format.format(at)
}

const busy = await busyQueue()
const filters = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'].flatMap((timeZone) =>
  [
    {},
    { startDate: '2026-03-29' },
    { endDate: '2026-03-28' },
    { startDate: '2026-03-29', endDate: '2026-03-29' },
    { startDate: '2011-10-29', endDate: '2011-10-30' },
    { startDate: '2026-10-31', endDate: '2026-11-01' },
    { startDate: '2030-01-01', endDate: '2030-12-31' },
  ].flatMap((dates) =>
    [undefined, busy.posts[0]?.postId].map((postId) => ({ timeZone, ...dates, ...(postId && { postId }) })),
  ),
)

function bruteForce(filter: { timeZone: string; startDate?: string; endDate?: string; postId?: string }) {
  const dayOf = dayIn(filter.timeZone)
  return busy.held.filter(
    (comment) =>
      (filter.postId === undefined || comment.referenceId === filter.postId) &&
      (filter.startDate === undefined || dayOf(comment.createdAt) >= filter.startDate) &&
      (filter.endDate === undefined || dayOf(comment.createdAt) <= filter.endDate),
  )
}

describe('every filter lists the same items as a check of each comment', () => {
  const ctx = as(asAdmin())

  test.each(filters)('$timeZone $startDate $endDate $postId', async (filter) => {
    const expected = idsOf(bruteForce(filter))

    const page = (options: object) =>
      listReviewQueue(ctx, { ...ReviewQueueQuery.parse({ ...filter, options }), communityId: busy.communityId })
    expect(idsOf((await page({ limit: 100 })).comments)).toEqual(expected.slice(0, 100))
    expect(idsOf((await page({ limit: 7, skip: 5 })).comments)).toEqual(expected.slice(5, 12))

    const desk = async (order: 'newest' | 'oldest') => {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const answer = await listDeskQueue(
          ctx,
          DeskQueueInput.parse({
            ...filter,
            communityId: busy.communityId,
            order,
            limit: 9,
            ...(cursor && { cursor }),
          }),
        )
        found.push(...itemIdsOf(answer.items))
        cursor = answer.next
      } while (cursor !== undefined)
      return found
    }
    expect(await desk('newest')).toEqual(expected)
    expect(await desk('oldest')).toEqual(expected.toReversed())
    expect(await countMatching(ctx, DeskFilter.parse({ ...filter, communityId: busy.communityId }))).toEqual({
      count: expected.length,
      isLowerBound: false,
    })
  })
})

test('keeps the order when it skips many rows within dates', async () => {
  const { communityId } = await make.community()
  const { userId } = await make.user()
  await database.pool.query(
    `insert into comment (comment_id, community_id, target_type, user_id, approval_status, created_at, queued_at)
     select 'deep-' || lpad(n::text, 5, '0'), $1, 'community', $2, 'pending', timestamptz '2026-01-01' + (n * 37 % 1500) * interval '1 minute',
       timestamptz '2026-02-01' + (n / 3) * interval '1 second' from generate_series(1, 1500) n`,
    [communityId, userId],
  )
  const page = (skip: number, dates: object) =>
    listReviewQueue(as(asAdmin()), {
      ...ReviewQueueQuery.parse({ ...dates, options: { limit: 100, skip } }),
      communityId,
    }).then((answer) => idsOf(answer.comments))

  const dates = { startDate: '2026-01-01', endDate: '2026-01-02' }
  const shallow = [await page(900, dates), await page(1000, dates)].flat()
  const deep = [await page(1001, dates), await page(1101, dates)].flat()
  expect(deep.slice(0, 99)).toEqual(shallow.slice(101))
  expect(deep).toEqual([await page(1001, {}), await page(1101, {})].flat())
})

describe('the desk queue', () => {
  test('a reviewer sees the queues of their communities as one, and no others', async () => {
    const [one, two, foreign] = await Promise.all([make.community(), make.community(), make.community()])
    const { userId } = await make.reviewerOf(one.communityId)
    await make.member({ communityId: two.communityId, userId, roles: ['community-moderator'] })
    await make.member({ communityId: foreign.communityId, userId })
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
    const [a, b, c] = [
      await make.heldComment({ communityId: one.communityId, queuedAt: at(1) }),
      await make.heldComment({ communityId: two.communityId, queuedAt: at(2) }),
      await make.heldComment({ communityId: one.communityId, queuedAt: at(3) }),
    ]
    await make.heldComment({ communityId: foreign.communityId })
    const ctx = as(asUser(userId))

    expect(itemIdsOf((await listDeskQueue(ctx, DeskQueueInput.parse({}))).items)).toEqual(idsOf([c, b, a]))
    expect(await countQueue(ctx)).toMatchObject({
      total: 3,
      communities: [
        { communityId: one.communityId, held: 2 },
        { communityId: two.communityId, held: 1 },
      ],
    })
    expect(await listDeskQueue(ctx, DeskQueueInput.parse({ communityId: foreign.communityId })).catch(failureOf)).toBe(
      'FORBIDDEN',
    )
    expect(await listDeskQueue(ctx, DeskQueueInput.parse({ communityId: 'nowhere' })).catch(failureOf)).toBe(
      'NOT_FOUND',
    )
    expect(await listDeskQueue(ctx, DeskQueueInput.parse({ cursor: 'x' })).catch(failureOf)).toBe('INVALID_PARAMETERS')
    expect(
      await countMatching(ctx, DeskFilter.parse({ communityId: foreign.communityId, startDate: '2000-01-01' })).catch(
        failureOf,
      ),
    ).toBe('FORBIDDEN')
  })

  test('a community that no longer holds new items is still listed while some are pending', async () => {
    const quiet = await make.community({ needApprovalOnCommentCreation: false })
    const reviewer = await make.reviewerOf(quiet.communityId)
    expect((await countQueue(as(reviewer))).communities).toEqual([])
    const left = await make.heldComment({ communityId: quiet.communityId })
    expect((await countQueue(as(reviewer))).communities).toMatchObject([
      { communityId: quiet.communityId, held: 1, isHolding: false },
    ])
    await decideComment(as(reviewer), { commentId: left.commentId, outcome: 'approved' })
    expect((await countQueue(as(reviewer))).communities).toEqual([])
  })

  test('an item includes its parent, its space, its author and earlier decisions on them', async () => {
    const { communityId } = await make.community()
    const reviewer = await make.reviewerOf(communityId)
    const author = await make.user({ displayName: 'Ana' })
    await make.member({ communityId, userId: author.userId })
    const post = await make.post({ communityId, data: { title: 'Tides' } })
    const parent = await make.heldComment({ communityId, approvalStatus: 'approved', data: { text: 'the parent' } })
    const earlier = await make.heldComment({ communityId, userId: author.userId, data: { text: 'earlier words' } })
    await make.heldComment({ userId: author.userId })
    await decideComment(as(reviewer), { commentId: earlier.commentId, outcome: 'rejected', reason: 'Spam' })
    const other = await make.heldComment({ communityId, userId: author.userId })
    const { commentId } = await make.heldComment({
      communityId,
      userId: author.userId,
      parentId: parent.commentId,
      referenceId: post.postId,
    })
    await make.heldComment({ communityId, parentId: commentId })

    const item = await readItem(as(reviewer), onComment(commentId))

    expect(item).toMatchObject({
      item: { subjectId: commentId, version: 1, allowed: ['approved', 'rejected'], author: { displayName: 'Ana' } },
      parent: { text: 'the parent', approvalStatus: 'approved' },
      post: { id: post.postId, title: 'Tides' },
      replies: { held: 1, visible: 0 },
      author: {
        otherHeld: 1,
        communities: [{ communityId }],
        decisions: {
          approved: 0,
          rejected: 1,
          latest: [{ outcome: 'rejected', reason: 'Spam', excerpt: 'earlier words', decidedByName: reviewer.name }],
        },
      },
    })
    expect(item.history.map((entry) => entry.what)).toEqual(['written', 'held'])
    expect(item).not.toHaveProperty('decided')
    expect(await readItem(as(asUser(author.userId)), onComment(commentId)).catch(failureOf)).toBe('NOT_FOUND')
    expect(
      await readItem(as(await make.reviewerOf((await make.community()).communityId)), {
        subjectType: 'comment',
        subjectId: other.commentId,
      }).catch(failureOf),
    ).toBe('NOT_FOUND')
  })

  test('a decided item names who decided and offers no actions; one’s own item is shown without actions', async () => {
    const { communityId } = await make.community()
    const reviewer = await make.reviewerOf(communityId)
    const { commentId } = await make.heldComment({ communityId })
    await decideComment(as(reviewer), { commentId, outcome: 'approved' })
    expect(await readItem(as(reviewer), onComment(commentId))).toMatchObject({
      item: { allowed: [] },
      decided: { outcome: 'approved', decidedByName: reviewer.name },
    })

    const own = await make.heldComment({ communityId, userId: reviewer.userId })
    expect(await readItem(as(reviewer), onComment(own.commentId))).toMatchObject({ item: { allowed: [] } })
  })
})
