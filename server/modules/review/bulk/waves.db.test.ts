import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { NewComment } from '#server/modules/content/comments/schema.ts'
import { previewBulk } from '#server/modules/review/bulk/preview-bulk.ts'
import { proposeRule } from '#server/modules/review/bulk/propose-rule.ts'
import { readWave } from '#server/modules/review/bulk/read-wave.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { claim } from '#server/modules/review/claims/claim.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { scaled } from '#server/testing/scaled.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'

const { database, prisma, make } = await testDatabase()

const LARGEST = 1_000
const LARGE = Math.min(scaled(100), LARGEST)

/** A text that is near only to those with the same `word`. */
const near = (word: string, number: number) =>
  `${word} ${word} cheap watches ${word} order yours today ${word} at number ${number} ${word}`

/** A community with a reviewer, a member, and a post to comment on. */
async function place() {
  const { communityId } = await make.community()
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  const post = await make.post({ communityId, postedUserId: userId })
  const reviewer = ctxOf(database, await make.reviewerOf(communityId), { undoWindowMs: WAIT_LIMIT_MS })
  const write = async (text: string) => {
    const input = NewComment.parse({ referenceType: 'post', referenceId: post.postId, data: { text } })
    const { comments } = await createComment(ctxOf(database, asUser(userId)), input)
    const { commentId } = comments[0] ?? expect.fail('nothing was written')
    return { subjectType: 'comment' as const, subjectId: commentId }
  }
  return { communityId, userId, reviewer, write }
}

async function writeAll(
  write: (text: string) => Promise<{ subjectType: 'comment'; subjectId: string }>,
  word: string,
  count: number,
) {
  const items = []
  for (let number = 0; number < count; number += 1) items.push(await write(near(word, number)))
  return items
}

const unique = () => randomUUID().replaceAll(/[^a-z]/g, '')
const idsOf = (items: { subjectId: string }[]) => items.map(({ subjectId }) => subjectId).sort()
const membersOf = async (ctx: Ctx, wave: { subjectType: 'comment'; subjectId: string }) =>
  (await previewBulk(ctx, { wave })).items

async function decideAll(ctx: Ctx, items: PreviewedItem[]) {
  const bulkId = randomUUID()
  const seen = items.map(({ subjectType, subjectId, version }) => ({ subjectType, subjectId, version }))
  await startBulk(ctx, { bulkId, outcome: 'rejected', items: seen })
  return finish(ctx, bulkId)
}

async function finish(ctx: Ctx, bulkId: string) {
  for (;;) {
    const progress = await runBulk(ctx, { bulkId })
    if (progress.isFinished) return progress
  }
}

test('an item among near-duplicates that were just held is summed up with them, another is not', async () => {
  const { reviewer, write } = await place()
  const word = unique()
  const items = await writeAll(write, word, 4)
  const [first] = items
  const other = await write('The lower road along the harbour is closed until the morning')

  expect(await readWave(reviewer, first ?? other)).toMatchObject({
    count: 4,
    isMore: false,
    isCut: false,
    accounts: 1,
    communities: 1,
  })
  expect(await readWave(reviewer, other)).toBeNull()
  const preview = await previewBulk(reviewer, { wave: first ?? other })
  expect(idsOf(preview.items)).toEqual(idsOf(items))
  expect(await proposeRule(reviewer, first ?? other)).toMatchObject({
    words: expect.arrayContaining(['watches']),
    communityIds: [expect.any(String)],
  })
  expect(await proposeRule(reviewer, other)).toBeNull()
  expect(await previewBulk(reviewer, { wave: other })).toEqual({ items: [], isCut: false })
})

test('two near-duplicates are no wave', async () => {
  const { reviewer, write } = await place()
  const [first] = await writeAll(write, unique(), 2)
  expect(await readWave(reviewer, first ?? expect.fail())).toBeNull()
})

test('a wave over two communities has only what the caller reviews, and is not found by others', async () => {
  const [one, other] = [await place(), await place()]
  const word = unique()
  const here = await writeAll(one.write, word, 3)
  const there = await writeAll(other.write, word, 3)
  const [first = expect.fail()] = here

  expect(idsOf(await membersOf(one.reviewer, first))).toEqual(idsOf(here))
  const { userId } = await make.user()
  for (const communityId of [one.communityId, other.communityId])
    await make.member({ communityId, userId, roles: ['community-moderator'] })
  const both = ctxOf(database, asUser(userId))
  expect(idsOf(await membersOf(both, first))).toEqual(idsOf([...here, ...there]))
  expect(await readWave(both, first)).toMatchObject({ count: 6, accounts: 2, communities: 2 })
  expect(await readWave(other.reviewer, first).catch(failureOf)).toBe('NOT_FOUND')
  expect(await previewBulk(ctxOf(database, asUser(one.userId)), { wave: first }).catch(failureOf)).toBe('NOT_FOUND')
})

test('claimed, reported, edited and own items of a wave are left out with the reason', async () => {
  const { communityId, reviewer, write, userId } = await place()
  const [first = expect.fail(), claimed = first, flagged = first, edited = first] = await writeAll(write, unique(), 5)
  await claim(ctxOf(database, await make.reviewerOf(communityId)), claimed)
  await prisma.comment.update({ where: { commentId: flagged.subjectId }, data: { flagCount: 1 } })
  await keepReportsOf(database, 'comment', [flagged.subjectId])
  const { data } = await prisma.comment.findUniqueOrThrow({ where: { commentId: edited.subjectId } })
  const text = `${(data as { text: string }).text} now`
  await editComment(ctxOf(database, asUser(userId)), { commentId: edited.subjectId, data: { text } })

  const members = new Map((await membersOf(reviewer, first)).map((item) => [item.subjectId, item]))
  expect(members.size).toBe(5)
  expect(members.get(claimed.subjectId)).toMatchObject({ error: 'CLAIMED' })
  expect(members.get(flagged.subjectId)).toMatchObject({ apart: { why: 'flagged' } })
  expect(members.get(edited.subjectId)).toMatchObject({ apart: { why: 'edited' } })
})

test('an item that is edited to say something else leaves the wave, and one already previewed is not decided', async () => {
  const { reviewer, write, userId } = await place()
  const items = await writeAll(write, unique(), 4)
  const [first = expect.fail(), edited = first] = items
  const previewed = await membersOf(reviewer, first)
  const text = 'The lower road along the harbour is closed until the morning'
  await editComment(ctxOf(database, asUser(userId)), { commentId: edited.subjectId, data: { text } })

  expect(idsOf(await membersOf(reviewer, first))).toEqual(idsOf(items.filter((item) => item !== edited)))
  expect(await decideAll(reviewer, previewed)).toMatchObject({ done: 3, refused: [{ subjectId: edited.subjectId }] })
})

test('what a colleague decides leaves the wave, and two who decide one at once decide nothing twice', async () => {
  const { communityId, reviewer, write } = await place()
  const items = await writeAll(write, unique(), Math.min(scaled(20), LARGEST))
  const colleague = ctxOf(database, await make.reviewerOf(communityId))
  const [first = expect.fail(), second = first] = items
  await decide(colleague, { ...second, version: 1, outcome: 'approved' })
  const [mine, theirs] = [await membersOf(reviewer, first), await membersOf(colleague, first)]
  expect(idsOf(mine)).toEqual(idsOf(items.filter((item) => item !== second)))

  const results = await Promise.all([decideAll(reviewer, mine), decideAll(colleague, theirs)])
  expect(results.reduce((sum, { done }) => sum + done, 0)).toBe(items.length - 1)
  const decisions = await prisma.decision.groupBy({
    by: ['subjectId'],
    where: { subjectId: { in: idsOf(items) } },
    _count: true,
  })
  expect(decisions.map(({ _count }) => _count)).toEqual(items.map(() => 1))
})

test(`a wave of ${LARGE} is decided as one, and undone as one`, async () => {
  const { reviewer, communityId } = await place()
  const { userId } = await make.user()
  const word = unique()
  await database.pool.query(
    `insert into comment (comment_id, community_id, target_type, user_id, approval_status, data, data_types, queued_at)
     select $1 || '-' || n, $1, 'community', $2, 'pending', jsonb_build_object('text', replace($3, '0', n::text)), '{text}', now()
     from generate_series(1, $4::int) n`,
    [communityId, userId, near(word, 0), LARGE],
  )
  const members = await membersOf(reviewer, { subjectType: 'comment', subjectId: `${communityId}-1` })
  expect(members).toHaveLength(LARGE)

  const { bulkId, done } = await decideAll(reviewer, members)
  expect(done).toBe(LARGE)
  expect(await prisma.comment.count({ where: { communityId, approvalStatus: 'pending' } })).toBe(0)
  await undoBulk(reviewer, { bulkId })
  expect(await finish(reviewer, bulkId)).toMatchObject({ undone: LARGE, isUndone: true })
  expect(await membersOf(reviewer, { subjectType: 'comment', subjectId: `${communityId}-1` })).toHaveLength(LARGE)
})
