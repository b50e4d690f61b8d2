import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { listColleagues } from '#server/modules/review/escalations/colleagues.ts'
import { deescalate, escalate, handOver } from '#server/modules/review/escalations/escalate.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { decide } from '#server/modules/review/queue/decide.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { readItem } from '#server/modules/review/queue/read-item.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { undoDecision } from '#server/modules/review/queue/undo-decision.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { createStaffAccount } from '#server/testing/staff-account.ts'

const { database } = await testDatabase()
const make = factoriesOf(database)
const as = (actor: Actor) => ctxOf(database, actor)
const failureOf = (error: unknown) => (error instanceof DomainError ? error.code : error)
const idsIn = async (ctx: Ctx, view: 'waiting' | 'escalated') =>
  (await listDeskQueue(ctx, DeskQueueInput.parse({ view }))).items.map(({ subjectId }) => subjectId)

async function heldThing() {
  const comment = await make.heldComment()
  const reviewer = await make.reviewerOf(comment.communityId)
  return { comment, reviewer, subject: { subjectType: 'comment' as const, subjectId: comment.commentId } }
}

const staffWith = (communityId: string, name: string) =>
  createStaffAccount(database, { name, roleId: 'community-moderator', communityId })

test('an escalated item moves from the queue to the escalated view, is counted there, and can be returned', async () => {
  const { subject, reviewer } = await heldThing()
  const ctx = as(reviewer)

  await escalate(ctx, { ...subject, note: 'Is this a threat?' })

  expect(await idsIn(ctx, 'waiting')).toEqual([])
  expect(await idsIn(ctx, 'escalated')).toEqual([subject.subjectId])
  expect(await countQueue(ctx)).toMatchObject({ total: 0, escalated: 1 })
  expect((await readItem(ctx, subject)).item.escalation).toMatchObject({
    note: 'Is this a threat?',
    by: { userId: reviewer.userId },
  })

  await deescalate(ctx, subject)
  expect(await idsIn(ctx, 'waiting')).toEqual([subject.subjectId])
  expect(await countQueue(ctx)).toMatchObject({ total: 1, escalated: 0 })
})

test('a decision ends the escalation, and its undo opens it again', async () => {
  const { subject, reviewer } = await heldThing()
  const ctx = as(reviewer)
  await escalate(ctx, { ...subject, note: 'Look at this' })
  const { decisionId } = await decide(ctx, { ...subject, outcome: 'approved' })
  expect(await countQueue(ctx)).toMatchObject({ total: 0, escalated: 0 })

  await undoDecision(ctx, { decisionId })

  expect(await idsIn(ctx, 'escalated')).toEqual([subject.subjectId])
  expect((await readItem(ctx, subject)).item.escalation).toMatchObject({ note: 'Look at this' })
})

test('of two concurrent escalations one succeeds and the other fails with CHANGED, 50 times over', async () => {
  for (let round = 0; round < 50; round += 1) {
    const { subject, comment, reviewer } = await heldThing()
    const colleague = await make.reviewerOf(comment.communityId)
    const results = await Promise.allSettled([
      escalate(as(reviewer), { ...subject, note: 'one' }),
      escalate(as(colleague), { ...subject, note: 'other' }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  }
})

test('an item can be handed only to those who may decide on it', async () => {
  const { subject, comment, reviewer } = await heldThing()
  const [ana, elsewhere] = await Promise.all([
    staffWith(comment.communityId, 'Ana 100%'),
    staffWith((await make.community()).communityId, 'Ben'),
  ])
  const ctx = as(reviewer)
  expect(await listColleagues(ctx, { ...subject, name: '0%' })).toEqual([
    { userId: ana.userId, displayName: 'Ana 100%' },
  ])
  expect(await listColleagues(ctx, { ...subject, name: 'Ben' })).toEqual([])

  expect(await escalate(ctx, { ...subject, note: 'x', handTo: elsewhere.userId }).catch(failureOf)).toBe(
    'INVALID_PARAMETERS',
  )
  await escalate(ctx, { ...subject, note: 'x', handTo: ana.userId })
  expect((await readItem(ctx, subject)).item.escalation).toMatchObject({ handedTo: { userId: ana.userId } })
  await handOver(ctx, { ...subject, handTo: null })
  expect((await readItem(ctx, subject)).item.escalation).not.toHaveProperty('handedTo')
})

test('hides escalations from strangers, and rejects the author and items that are no longer pending', async () => {
  const { subject, comment, reviewer } = await heldThing()
  const elsewhere = await make.reviewerOf((await make.community()).communityId)
  const attempt = (actor: Actor) => escalate(as(actor), { ...subject, note: 'x' }).catch(failureOf)
  expect(await attempt(elsewhere)).toBe('NOT_FOUND')
  expect(await attempt(asUser(comment.userId))).toBe('FORBIDDEN')
  expect(await handOver(as(reviewer), { ...subject, handTo: null }).catch(failureOf)).toBe('CHANGED')
  await decide(as(reviewer), { ...subject, outcome: 'approved' })
  expect(await attempt(reviewer)).toBe('CHANGED')
})
