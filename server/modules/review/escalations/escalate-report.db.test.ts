import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { deescalateReport, escalateReport } from '#server/modules/review/escalations/escalate-report.ts'
import { decide } from '#server/modules/review/queue/decide.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { readItem } from '#server/modules/review/queue/read-item.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { undoDecision } from '#server/modules/review/queue/undo-decision.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'

const { database } = await testDatabase()
const { prisma } = database
const make = factoriesOf(database)
const as = (actor: Actor) => ctxOf(database, actor)
const failureOf = (error: unknown) => (error instanceof DomainError ? error.code : error)
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
