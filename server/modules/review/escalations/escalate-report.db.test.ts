import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { listColleagues } from '#server/modules/review/escalations/colleagues.ts'
import { deescalate, escalate, handOver } from '#server/modules/review/escalations/escalate.ts'
import type { EscalateInput, HandOverInput } from '#server/modules/review/escalations/schema.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput, type PendingItem } from '#server/modules/review/queue/schema.ts'
import { asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)
const escalateReport = (ctx: Ctx, input: EscalateInput) => escalate(ctx, { ...input, kind: 'reported' })
const handOverReport = (ctx: Ctx, input: HandOverInput) => handOver(ctx, { ...input, kind: 'reported' })
const deescalateReport = (ctx: Ctx, input: PendingItem) => deescalate(ctx, { ...input, kind: 'reported' })
const NOTE = 'Please look at the pictures.'

async function reportedComment() {
  const { communityId } = await make.community()
  const { commentId } = await make.heldComment({ communityId, approvalStatus: null })
  const subject = { subjectType: 'comment' as const, subjectId: commentId }
  await flagOnce(commentId)
  return { communityId, subject, reviewer: await make.reviewerOf(communityId) }
}

async function flagOnce(commentId: string) {
  const { userId } = await make.user()
  await flag(as(asUser(userId)), flaggableComment, { id: commentId, flag: { reason: 'Spam or scams' } })
}

test('an escalated report stays in the reported view and shows who escalated it and why', async () => {
  const { communityId, subject, reviewer } = await reportedComment()
  await escalateReport(as(reviewer), { ...subject, note: NOTE })

  const colleague = await make.reviewerOf(communityId)
  const escalation = { note: NOTE, by: { userId: reviewer.userId, displayName: reviewer.name } }
  const input = DeskQueueInput.parse({ communityId, view: 'reported' })
  expect((await listDeskQueue(as(colleague), input)).items).toMatchObject([{ ...subject, escalation }])
  expect((await readItem(as(colleague), { ...subject, isReported: true })).item).toMatchObject({ escalation })
  const logged = await prisma.audit.findMany({ where: { subjectId: subject.subjectId, action: 'comment.escalated' } })
  expect(logged).toHaveLength(1)
  expect(await prisma.event.count({ where: { ...subject, name: 'desk.comment.didEscalateReport' } })).toBe(1)

  await deescalateReport(as(colleague), subject)
  expect((await readItem(as(colleague), { ...subject, isReported: true })).item.escalation).toBeUndefined()
})

test('rejects a second escalation, and one by people who may not dismiss the report', async () => {
  const { subject, reviewer } = await reportedComment()
  const first = { ...subject, note: NOTE }
  const outcomes = await Promise.allSettled([escalateReport(as(reviewer), first), escalateReport(as(reviewer), first)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await escalateReport(as(reviewer), first).catch(failureOf)).toBe('CHANGED')
  const stranger = asUser((await make.user()).userId)
  expect(['NOT_FOUND', 'FORBIDDEN']).toContain(await escalateReport(as(stranger), first).catch(failureOf))
})

test('a decision ends the escalation, undo restores it, and a report that opens again starts without', async () => {
  const { subject, reviewer } = await reportedComment()
  await escalateReport(as(reviewer), { ...subject, note: NOTE })
  const { decisionId } = await decide(as(reviewer), { ...subject, version: 1, outcome: 'dismissed' })
  expect(await deescalateReport(as(reviewer), subject).catch(failureOf)).toBe('CHANGED')
  await undoDecision(as(reviewer), { decisionId })
  const item = () => readItem(as(reviewer), { ...subject, isReported: true }).then((read) => read.item)
  expect((await item()).escalation).toMatchObject({ note: NOTE })

  await decide(as(reviewer), { ...subject, version: (await item()).version, outcome: 'dismissed' })
  await flagOnce(subject.subjectId)
  expect((await item()).escalation).toBeUndefined()
})

test('an escalated report is listed and counted among everything escalated, by when it was flagged, page by page', async () => {
  const { communityId, subject, reviewer } = await reportedComment()
  const held = []
  for (const days of [-2, 2]) {
    const queuedAt = new Date(Date.now() + days * 86_400_000)
    const { commentId } = await make.heldComment({ communityId, queuedAt })
    await escalate(as(reviewer), { subjectType: 'comment', subjectId: commentId, note: NOTE })
    held.push(commentId)
  }
  await escalateReport(as(reviewer), { ...subject, note: NOTE })
  const [older, newer] = held

  const list = async (more: object) =>
    listDeskQueue(as(reviewer), DeskQueueInput.parse({ communityId, view: 'escalated', ...more }))
  const idsOf = async (more: object) => (await list(more)).items.map(({ subjectId }) => subjectId)
  expect(await idsOf({})).toEqual([newer, subject.subjectId, older])
  expect(await idsOf({ order: 'oldest' })).toEqual([older, subject.subjectId, newer])
  expect(await idsOf({ kind: 'post' })).toEqual([])
  expect([await idsOf({ text: 'Some' }), await idsOf({ text: 'Nobody wrote this' })]).toEqual([
    [newer, subject.subjectId, older],
    [],
  ])
  const first = await list({ limit: 2 })
  expect((await idsOf({ limit: 2, cursor: first.next })).concat()).toEqual([older])
  const counted = () => countMatching(as(reviewer), { communityId, view: 'escalated', timeZone: 'UTC' })
  expect([await counted(), (await countQueue(as(reviewer))).escalated]).toEqual([{ count: 3, isLowerBound: false }, 3])

  const read = await readItem(as(reviewer), { ...subject, isEscalated: true })
  expect(read.item).toMatchObject({ allowed: ['dismissed', 'deleted'], reasons: ['Spam or scams'] })
  const heldOne = { subjectType: 'comment' as const, subjectId: older ?? '', isEscalated: true }
  expect((await readItem(as(reviewer), heldOne)).item.allowed).toEqual(['approved', 'rejected'])

  const stranger = await make.reviewerOf((await make.community()).communityId)
  expect((await countQueue(as(stranger))).escalated).toBe(0)
  await decide(as(reviewer), { ...subject, outcome: 'dismissed' })
  expect([await idsOf({}), (await counted()).count]).toEqual([[newer, older], 2])
})

test('an escalated report is assigned to a colleague who may decide on it, and handed over', async () => {
  const { communityId, subject, reviewer } = await reportedComment()
  const colleague = await make.reviewerOf(communityId)
  const email = `${colleague.userId}@docket.example`
  await prisma.staffAccount.create({
    data: { id: colleague.userId, name: 'Col League', email, networkUserId: colleague.userId },
  })
  const found = await listColleagues(as(reviewer), { ...subject, name: 'col', kind: 'reported' })
  expect(found).toEqual([{ userId: colleague.userId, displayName: 'Col League' }])

  const stranger = (await make.user()).userId
  const withStranger = escalateReport(as(reviewer), { ...subject, note: NOTE, handTo: stranger })
  expect(await withStranger.catch(failureOf)).toBe('INVALID_PARAMETERS')
  await escalateReport(as(reviewer), { ...subject, note: NOTE, handTo: colleague.userId })
  const assignee = async () =>
    (await readItem(as(reviewer), { ...subject, isReported: true })).item.escalation?.handedTo?.userId
  expect(await assignee()).toBe(colleague.userId)
  await handOverReport(as(reviewer), { ...subject, handTo: null })
  expect(await assignee()).toBeUndefined()
  expect(await handOverReport(as(reviewer), { ...subject, handTo: stranger }).catch(failureOf)).toBe(
    'INVALID_PARAMETERS',
  )
  await deescalateReport(as(reviewer), subject)
  expect(await handOverReport(as(reviewer), { ...subject, handTo: null }).catch(failureOf)).toBe('CHANGED')
})
