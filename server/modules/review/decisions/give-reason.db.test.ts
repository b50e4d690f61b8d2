import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { giveReason } from '#server/modules/review/decisions/give-reason.ts'
import { GiveReasonInput, type Outcome } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { asUser, clockAt, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)

async function decidedThing(outcome: Outcome = 'rejected') {
  const comment = await make.heldComment()
  const reviewer = await make.reviewerOf(comment.communityId)
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = as(reviewer, { now: clock.now })
  const subject = { subjectType: 'comment' as const, subjectId: comment.commentId }
  const { decisionId } = await decide(ctx, { ...subject, outcome })
  return { ctx, clock, subject, decisionId, communityId: comment.communityId }
}

const decisionOf = (decisionId: string) =>
  prisma.decision.findUniqueOrThrow({ where: { decisionId: BigInt(decisionId) } })

test('a reason can be added after a rejection, and reaches the item, the log and the clients', async () => {
  const { ctx, subject, decisionId } = await decidedThing()

  expect(await giveReason(ctx, { decisionId, reasonId: 'spam' })).toEqual({ ...subject, reason: 'Spam or scams' })

  expect(await decisionOf(decisionId)).toMatchObject({ reasonId: 'spam', reason: 'Spam or scams', undoneAt: null })
  expect((await readItem(ctx, subject)).decided).toMatchObject({ outcome: 'rejected', reason: 'Spam or scams' })
  const log = await prisma.audit.findMany({ where: { subjectId: subject.subjectId }, orderBy: { auditId: 'asc' } })
  expect(log.map(({ action }) => action)).toEqual(['comment.rejected', 'comment.reasonGiven'])
  expect(log[1]).toMatchObject({
    before: { decisionId, reasonId: null },
    after: { decisionId, reasonId: 'spam' },
    communityId: expect.any(String),
  })
  expect(await prisma.event.findMany({ where: { subjectId: subject.subjectId, isDeskOnly: true } })).toMatchObject([
    { name: 'desk.comment.didGiveReason' },
  ])
})

test('accepts a custom reason, with a managed one or alone, and the last one given counts', async () => {
  const { ctx, decisionId } = await decidedThing()
  await giveReason(ctx, { decisionId, reasonId: 'spam' })
  await giveReason(ctx, { decisionId, reasonId: 'others', reason: 'The third such offer today' })
  expect(await decisionOf(decisionId)).toMatchObject({ reasonId: 'others', reason: 'The third such offer today' })

  await giveReason(ctx, { decisionId, reason: 'Names a private person' })
  expect(await decisionOf(decisionId)).toMatchObject({ reasonId: null, reason: 'Names a private person' })
})

test('a published rejection keeps its reason', async () => {
  const { ctx, clock, decisionId } = await decidedThing()
  clock.advance(9_999)
  await giveReason(ctx, { decisionId, reasonId: 'spam' })
  clock.advance(1)
  expect(await giveReason(ctx, { decisionId, reasonId: 'violence' }).catch(failureOf)).toBe('CHANGED')
  expect(await decisionOf(decisionId)).toMatchObject({ reasonId: 'spam' })
})

test('rejects a reason for what was undone, approved, or published at once', async () => {
  const undone = await decidedThing()
  await undoDecision(undone.ctx, undone)
  const approved = await decidedThing('approved')
  for (const { ctx, decisionId } of [undone, approved]) {
    expect(await giveReason(ctx, { decisionId, reasonId: 'spam' }).catch(failureOf)).toBe('CHANGED')
    expect(await decisionOf(decisionId)).toMatchObject({ reasonId: null, reason: null })
  }
})

test('rejects a reason for a colleague’s rejection, and tells strangers nothing about it', async () => {
  const { decisionId, communityId } = await decidedThing()
  const colleague = as(await make.reviewerOf(communityId))
  const stranger = as(asUser((await make.user()).userId))
  expect(await giveReason(colleague, { decisionId, reasonId: 'spam' }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await giveReason(stranger, { decisionId, reasonId: 'spam' }).catch(failureOf)).toBe('NOT_FOUND')
  expect(await giveReason(colleague, { decisionId: '999999999', reasonId: 'spam' }).catch(failureOf)).toBe('NOT_FOUND')
})

test('of a concurrent reason and undo one comes first and the other sees it, again and again', async () => {
  for (let round = 0; round < scaled(5); round++) {
    const { ctx, decisionId } = await decidedThing()
    const [given, undone] = await Promise.all([
      giveReason(ctx, { decisionId, reasonId: 'spam' }).then(() => 'given', failureOf),
      undoDecision(ctx, { decisionId }).then(() => 'undone', failureOf),
    ])
    expect(undone).toBe('undone')
    expect((await decisionOf(decisionId)).reasonId).toBe(given === 'given' ? 'spam' : null)
  }
})

test.each([
  [{ reasonId: 'none' }, 'INVALID_PARAMETERS'],
  [{ reasonId: 'spam', reason: 'x'.repeat(250) }, 'taken'],
])('%o is %s', async (why, result) => {
  const { ctx, decisionId } = await decidedThing()
  expect(await giveReason(ctx, { decisionId, ...why }).then(() => 'taken', failureOf)).toBe(result)
})

test.each([
  {},
  { reason: '  ' },
  { reason: 'x'.repeat(251) },
  { reasonId: '' },
])('%o is rejected as a reason', (why) => {
  expect(GiveReasonInput.safeParse({ decisionId: '1', ...why }).success).toBe(false)
})
