import { expect, test } from 'vitest'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { readOwnDay } from '#server/modules/review/insights/read-own-day.ts'
import { clockAt, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()

test('counts the caller’s decisions since a time and the median of what each took, without breaks and undone ones', async () => {
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const colleague = await make.reviewerOf(communityId)
  const { now, advance } = clockAt('2026-11-22T08:00:00Z')
  const decideOne = async (actor: typeof reviewer) => {
    const { commentId } = await make.heldComment({ communityId })
    const subject = { subjectType: 'comment' as const, subjectId: commentId }
    return decide(ctxOf(database, actor, { now }), { ...subject, outcome: 'approved' })
  }
  const ctx = ctxOf(database, reviewer, { now })
  expect(await readOwnDay(ctx, { since: '2026-11-22T00:00:00Z' })).toEqual({ decided: 0 })

  for (const seconds of [8, 12, 3_600, 16]) {
    await decideOne(reviewer)
    advance(seconds * 1_000)
  }
  await decideOne(reviewer)
  await decideOne(colleague)
  const { decisionId } = await decideOne(reviewer)
  await undoDecision(ctx, { decisionId })

  expect(await readOwnDay(ctx, { since: '2026-11-22T00:00:00Z' })).toEqual({ decided: 5, medianMs: 12_000 })
  expect(await readOwnDay(ctx, { since: '2026-11-22T09:00:00Z' })).toMatchObject({ decided: 2 })
})
