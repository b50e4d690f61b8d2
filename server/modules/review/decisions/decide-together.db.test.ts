import { expect, test } from 'vitest'
import { queryOne, sql } from '#server/core/db.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { type DecisionInput, type DecisionResult, decideItems } from '#server/modules/review/decisions/decide-items.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createHeldComments } from '#server/testing/held-comments.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const { below } = randomNumbers()
const FROM = { from: 'waiting' } as const
const UNDO = { undoWindowMs: 600_000 }

const asItem = (subjectType: 'comment' | 'post', subjectId: string) => ({ subjectType, subjectId, version: 1 })

/** A community with held comments, held posts and two who review both. */
async function community({ comments = 0, posts = 0 }) {
  const { communityId } = await make.community()
  const items = []
  for (let made = 0; made < comments; made += 1)
    items.push(asItem('comment', (await make.heldComment({ communityId })).commentId))
  for (let made = 0; made < posts; made += 1) items.push(asItem('post', (await make.heldPost({ communityId })).postId))
  const [one, other] = [await make.reviewerOf(communityId), await make.reviewerOf(communityId)]
  return { communityId, items, one, other, as: (reviewer: typeof one) => ctxOf(database, reviewer, UNDO) }
}

const codesOf = (results: DecisionResult[]) =>
  results.map((result) => ('failure' in result ? result.failure.code : result.decided.outcome))

test('of several comments, posts and reports each that can’t be decided says why, and the others are decided', async () => {
  const { communityId, items, one, other, as } = await community({ comments: 4, posts: 2 })
  const [good, edited, decided, flagged, goodPost, decidedPost] = items
  const { commentId: own } = await make.heldComment({ communityId, userId: one.userId })
  const { commentId: elsewhere } = await make.heldComment()
  const { userId: reporter } = await make.user()
  await make.member({ communityId, userId: reporter })
  await flag(as(other), flaggableComment, { id: flagged?.subjectId ?? '', flag: { reason: 'spam' } })
  for (const item of [decided, decidedPost]) if (item) await decide(as(other), { ...item, outcome: 'rejected' })
  const { userId } = await prisma.comment.findUniqueOrThrow({ where: { commentId: edited?.subjectId ?? '' } })
  await make.member({ communityId, userId })
  const author = ctxOf(database, asUser(userId), { source: 'rest' })
  await editComment(author, { commentId: edited?.subjectId ?? '', data: { text: 'Said otherwise' } })

  const asked = [...items, asItem('comment', own), asItem('comment', elsewhere), good].flatMap((item) =>
    item ? [{ ...item, outcome: 'approved' as const }] : [],
  )
  const results = await decideItems(as(one), asked, FROM)

  expect(codesOf(results)).toEqual([
    'approved',
    'CHANGED',
    'CHANGED',
    'approved',
    'approved',
    'CHANGED',
    'FORBIDDEN',
    'NOT_FOUND',
    'CHANGED',
  ])
  expect(results[2]).toMatchObject({ failure: { details: { decision: 'rejected', decidedBy: other.userId } } })
  expect(results[5]).toMatchObject({ failure: { details: { decision: 'rejected', decidedBy: other.userId } } })
  expect((await countQueue(as(other))).total).toBe(2)
  expect(await prisma.decision.count({ where: { subjectId: goodPost?.subjectId ?? '' } })).toBe(1)
})

test('one of a hundred keys that was used for something else leaves the ninety-nine others decided', async () => {
  const { communityId, commentIds } = await createHeldComments(database, 101)
  const moderator = ctxOf(database, await make.reviewerOf(communityId), UNDO)
  const [first, ...others] = commentIds.map((commentId, place) => ({
    ...asItem('comment', commentId),
    outcome: 'approved' as const,
    clientKey: `key ${place}`,
  }))
  if (first) await decide(moderator, first)
  const asked = others.map((item, place) => (place === 50 ? { ...item, clientKey: 'key 0' } : item))
  const codes = codesOf(await decideItems(moderator, asked, FROM))
  expect(codes.flatMap((code, place) => (code === 'approved' ? [] : [[place, code]]))).toEqual([[50, 'CHANGED']])

  const again = await decideItems(moderator, asked, FROM)
  expect(codesOf(again)).toEqual(codes)
  expect((await countQueue(moderator)).total).toBe(1)
})

const ROUNDS = scaled(6)

test(`${ROUNDS} times two who decide on the same comments and posts, in opposite orders, while others decide, undo and edit, have one winner for each, whom the loser learns`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { communityId, items, one, other, as } = await community({ comments: 12, posts: 6 })
    const third = await make.reviewerOf(communityId)
    const by = (order: typeof items, outcome: HeldOutcome): DecisionInput[] =>
      order.map(({ subjectType, subjectId, version }) => ({ subjectType, subjectId, version, outcome }))
    const interfere = async () => {
      for (const item of items.filter(() => below(3) === 0)) {
        const decided = await decide(as(third), { ...item, outcome: 'approved' }).catch(() => undefined)
        if (decided && below(2) === 0) await undoDecision(as(third), decided)
      }
    }
    const [first, second] = await Promise.all([
      decideItems(as(one), by(items, 'approved'), FROM),
      decideItems(as(other), by(items.toReversed(), 'rejected'), FROM),
      interfere(),
    ])

    const inOrder = second.toReversed()
    for (const [place, { subjectId }] of items.entries())
      await expectOneWinner(subjectId, [first[place], inOrder[place]])
    await expectCounted(communityId)
  }
})

/** At most one decision is in force, and everyone else learns of it. */
async function expectOneWinner(subjectId: string, results: (DecisionResult | undefined)[]) {
  const inForce = await prisma.decision.findMany({ where: { subjectId, undoneAt: null } })
  const failures = results.flatMap((result) => (result && 'failure' in result ? [result.failure] : []))
  const won = results.length - failures.length
  expect([inForce.length <= 1, won <= inForce.length]).toEqual([true, true])
  for (const { code, details } of failures) {
    expect(code).toBe('CHANGED')
    if (won === 1) expect(details).toMatchObject({ decision: inForce[0]?.outcome, decidedBy: inForce[0]?.decidedBy })
  }
}

/** The counter of what is held there equals a count of its items. */
async function expectCounted(communityId: string) {
  const counted = await queryOne<{ counted: number; items: number }>(
    systemCtx(database),
    sql`
    select
      (select coalesce(sum(total), 0)::int from tally where subject_id = ${communityId} and kind in ('held_comments', 'held_posts'))
        + (select coalesce(sum(delta), 0) from tally_delta where subject_id = ${communityId} and kind in ('held_comments', 'held_posts'))::int as counted,
      (select count(*) from review_item where community_id = ${communityId} and kind = 'held' and state = 'waiting')::int as items`,
  )
  expect(counted?.counted).toEqual(counted?.items)
}
