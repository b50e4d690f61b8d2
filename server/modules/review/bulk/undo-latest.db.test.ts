import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import { StartBulk } from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { undoLatest } from '#server/modules/review/bulk/undo-latest.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { clockAt, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)

async function queueOf(count: number) {
  const { communityId } = await make.community()
  const comments = await Promise.all(Array.from({ length: count }, () => make.heldComment({ communityId })))
  const items = comments.map(({ commentId }) => ({
    subjectType: 'comment' as const,
    subjectId: commentId,
    version: 1,
  }))
  return { communityId, items, reviewer: await make.reviewerOf(communityId) }
}

async function pendingIn(communityId: string): Promise<number> {
  return await prisma.comment.count({ where: { communityId, approvalStatus: 'pending' } })
}

test('undoes the caller’s latest decision, then the one before, then nothing', async () => {
  const { communityId, items, reviewer } = await queueOf(2)
  const clock = clockAt('2026-11-22T08:00:00Z')
  const ctx = as(reviewer, { now: clock.now })
  for (const item of items) {
    await decide(ctx, { ...item, outcome: 'approved' })
    clock.advance(1_000)
  }
  expect(await undoLatest(ctx)).toMatchObject({ item: { subjectId: items[1]?.subjectId, version: 3 } })
  expect(await undoLatest(ctx)).toMatchObject({ item: { subjectId: items[0]?.subjectId } })
  expect(await undoLatest(ctx)).toBeUndefined()
  expect(await pendingIn(communityId)).toBe(2)
})

test('leaves decisions alone that colleagues made or that are too old to undo', async () => {
  const { communityId, items, reviewer } = await queueOf(1)
  const [item] = items
  if (!item) throw new Error('There is no item')
  const colleague = await make.reviewerOf(communityId)
  const { now, advance } = clockAt('2026-11-22T08:00:00Z')
  await decide(as(reviewer, { now }), { ...item, outcome: 'approved' })

  expect(await undoLatest(as(colleague, { now }))).toBeUndefined()
  advance(10_001)
  expect(await undoLatest(as(reviewer, { now }))).toBeUndefined()
  expect(await pendingIn(communityId)).toBe(0)
})

test('undoes a whole bulk action if the latest decision belongs to one', async () => {
  const { communityId, items, reviewer } = await queueOf(3)
  const ctx = as(reviewer)
  const { bulkId } = await startBulk(ctx, StartBulk.parse({ bulkId: randomUUID(), outcome: 'rejected', items }))
  await runBulk(ctx, { bulkId })

  expect(await undoLatest(ctx)).toMatchObject({ bulk: { bulkId, isUndone: true } })
  await runBulk(ctx, { bulkId })
  expect(await pendingIn(communityId)).toBe(3)
})

test('skips a bulk action that is still being undone', async () => {
  const { items, reviewer } = await queueOf(3)
  const [first, ...others] = items
  if (!first) throw new Error('There is no item')
  const ctx = as(reviewer)
  await decide(ctx, { ...first, outcome: 'approved' })
  const { bulkId } = await startBulk(ctx, StartBulk.parse({ bulkId: randomUUID(), outcome: 'rejected', items: others }))
  await runBulk(ctx, { bulkId })

  expect(await undoLatest(ctx)).toMatchObject({ bulk: { bulkId } })
  expect(await undoLatest(ctx)).toMatchObject({ item: { subjectId: first.subjectId } })
  expect(await undoLatest(ctx)).toBeUndefined()
})
