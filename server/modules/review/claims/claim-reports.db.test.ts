import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { claim, release } from '#server/modules/review/claims/claim.ts'
import { clearEndedClaims } from '#server/modules/review/claims/clear-ended-claims.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskFilter, DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { asUser, clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const codeOf = (error: unknown) => (error instanceof DomainError ? error.code : Promise.reject(error))
const detailsOf = (error: unknown) => (error instanceof DomainError ? error.details : Promise.reject(error))
const REASON = { reason: 'Spam or scams' }
const DAY_MS = 86_400_000

async function named(userId: string, displayName: string, now?: () => Date) {
  await prisma.user.update({ where: { userId }, data: { displayName } })
  return { userId, ctx: ctxOf(database, asUser(userId), now && { now }) }
}

/** A reported comment that is not held, and two moderators with the same clock. */
async function reportedComment() {
  const { communityId } = await make.community()
  const clock = clockAt('2026-11-20T12:00:00Z')
  const { commentId } = await make.heldComment({ communityId, approvalStatus: null })
  const subject = { subjectType: 'comment' as const, subjectId: commentId }
  const flagAgain = async () => {
    const reporter = ctxOf(database, asUser((await make.user()).userId), { now: clock.now })
    await flag(reporter, flaggableComment, { id: commentId, flag: REASON })
  }
  await flagAgain()
  const [ana, ben] = await Promise.all(
    ['Ana', 'Ben'].map(async (name) => named((await make.reviewerOf(communityId)).userId, name, clock.now)),
  )
  if (!ana || !ben) throw new Error('there are two')
  return { subject, report: { ...subject, kind: 'reported' as const }, communityId, clock, flagAgain, ana, ben }
}

const listed = async (ctx: Ctx, over: object) =>
  (await listDeskQueue(ctx, DeskQueueInput.parse({ limit: 100, ...over }))).items
const mine = async (ctx: Ctx) => (await listed(ctx, { view: 'mine' })).map(({ subjectId }) => subjectId)
const claimantOf = async (ctx: Ctx, subject: Subject) =>
  (await readItem(ctx, { ...subject, isReported: true })).item.claim?.by.displayName

test('a claimed report is in the claimant’s own list, beside held items, and colleagues see whose it is', async () => {
  const { subject, report, communityId, ana, ben } = await reportedComment()
  const { commentId: older } = await make.heldComment({ communityId, queuedAt: new Date('2026-11-20T11:00:00Z') })
  const { commentId: newer } = await make.heldComment({ communityId, queuedAt: new Date('2026-11-20T13:00:00Z') })

  const until = '2026-11-21T12:00:00.000Z'
  expect(await claim(ana.ctx, report)).toEqual({ items: [subject], until, others: [], own: 0, isCut: false })
  for (const subjectId of [older, newer]) await claim(ana.ctx, { subjectType: 'comment', subjectId })

  const expected = { by: { userId: ana.userId, displayName: 'Ana' }, until }
  expect((await listed(ben.ctx, { view: 'reported', communityId })).map((row) => row.claim)).toEqual([expected])
  expect(await mine(ana.ctx)).toEqual([newer, subject.subjectId, older])
  expect(await mine(ben.ctx)).toEqual([])
  expect((await Promise.all([ana, ben].map(({ ctx }) => countQueue(ctx)))).map((counts) => counts.mine)).toEqual([3, 0])
  expect((await countMatching(ana.ctx, DeskFilter.parse({ view: 'mine' }))).count).toBe(3)
  const page = async (cursor?: string) =>
    listDeskQueue(ana.ctx, DeskQueueInput.parse({ view: 'mine', limit: 1, cursor }))
  const first = await page()
  const second = await page(first.next)
  const third = await page(second.next)
  const paged = [first, second, third].flatMap(({ items }) => items.map(({ subjectId }) => subjectId))
  expect([paged, third.next]).toEqual([[newer, subject.subjectId, older], undefined])

  const { item } = await readItem(ana.ctx, { ...subject, isMine: true })
  expect(item).toMatchObject({ ...subject, reasons: ['Spam or scams'], claim: expected })
})

test('of two moderators who claim a report at once one gets it, and only the claimant can release it', async () => {
  const { subject, report, ana, ben } = await reportedComment()
  const claims = await Promise.allSettled([claim(ana.ctx, report), claim(ben.ctx, report)])
  expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [winner, loser] = claims[0]?.status === 'fulfilled' ? [ana, ben] : [ben, ana]

  const facts = { claimedBy: winner.userId, claimedByName: winner === ana ? 'Ana' : 'Ben' }
  expect(await claim(loser.ctx, report).catch(detailsOf)).toMatchObject(facts)
  expect(await release(loser.ctx, report)).toEqual({ items: [] })
  expect(await claimantOf(ana.ctx, subject)).toBe(facts.claimedByName)
  expect(await release(winner.ctx, report)).toEqual({ items: [subject] })
  expect(await claimantOf(ana.ctx, subject)).toBeUndefined()

  const logged = await prisma.audit.findMany({
    where: { ...subject, action: { in: ['comment.claimed', 'comment.released'] } },
    orderBy: { auditId: 'asc' },
  })
  expect(logged.map(({ action, after }) => [action, after])).toEqual([
    ['comment.claimed', { report: 'claimed', claimedBy: winner.userId }],
    ['comment.released', { report: 'released', claimedBy: null }],
  ])
  const events = await prisma.event.findMany({ where: { ...subject, isDeskOnly: true }, orderBy: { eventId: 'asc' } })
  expect(events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['desk.comment.didClaimReport', 'desk.comment.didReleaseReport']),
  )
})

test.for([
  'dismissed',
  'deleted',
] as const)('a colleague’s report is %s only by a moderator who has seen whose it is, and undo restores the claim', async (outcome) => {
  const { subject, report, ana, ben } = await reportedComment()
  await claim(ana.ctx, report)
  const decision = { ...subject, outcome }
  expect(await decide(ben.ctx, decision).catch(detailsOf)).toMatchObject({ claimedByName: 'Ana' })
  const { decisionId } = await decide(ben.ctx, { ...decision, despiteClaimOf: ana.userId })
  expect([await mine(ana.ctx), (await countQueue(ana.ctx)).mine]).toEqual([[], 0])
  await undoDecision(ben.ctx, { decisionId })
  expect([await mine(ana.ctx), (await countQueue(ana.ctx)).mine]).toEqual([[subject.subjectId], 1])
})

test('a report that new flags open again is nobody’s claim', async () => {
  const { subject, report, clock, flagAgain, ana } = await reportedComment()
  await claim(ana.ctx, report)
  clock.advance(1_000)
  await decide(ana.ctx, { ...subject, outcome: 'dismissed' })
  clock.advance(60_000)
  await flagAgain()
  expect(await claimantOf(ana.ctx, subject)).toBeUndefined()
  expect(await mine(ana.ctx)).toEqual([])
})

test('the claim of a report ends with its time, and the worker clears it', async () => {
  const { subject, report, clock, ana, ben } = await reportedComment()
  await claim(ana.ctx, report)
  clock.advance(DAY_MS - 1)
  expect(await claimantOf(ben.ctx, subject)).toBe('Ana')
  clock.advance(1)
  expect(await claimantOf(ben.ctx, subject)).toBeUndefined()
  expect(await mine(ana.ctx)).toEqual([])
  await clearEndedClaims({ ...systemCtx(database), now: clock.now })
  const row = await prisma.reviewItem.findFirstOrThrow({ where: { ...subject, kind: 'reported' } })
  expect([row.claimedBy, row.claimedUntil]).toEqual([null, null])
})

test('nobody can claim the report of what they don’t review or wrote, or of what nobody has reported', async () => {
  const { report, communityId, ana } = await reportedComment()
  const outsider = await named((await make.reviewerOf((await make.community()).communityId)).userId, 'Eve')
  expect(['NOT_FOUND', 'FORBIDDEN']).toContain(await claim(outsider.ctx, report).catch(codeOf))

  const { commentId: own } = await make.heldComment({ communityId, approvalStatus: null, userId: ana.userId })
  const { userId } = await make.user()
  await flag(ctxOf(database, asUser(userId)), flaggableComment, { id: own, flag: REASON })
  expect(await claim(ana.ctx, { subjectType: 'comment', subjectId: own, kind: 'reported' }).catch(codeOf)).toBe(
    'FORBIDDEN',
  )
  const { commentId: quiet } = await make.heldComment({ communityId, approvalStatus: null })
  expect(await claim(ana.ctx, { subjectType: 'comment', subjectId: quiet, kind: 'reported' }).catch(codeOf)).toBe(
    'NOT_FOUND',
  )
})

test('what is held and reported is claimed as one or the other, and listed once', async () => {
  const { communityId } = await make.community()
  const { commentId } = await make.heldComment({ communityId, flagCount: 1 })
  const subject = { subjectType: 'comment' as const, subjectId: commentId }
  const ana = await named((await make.reviewerOf(communityId)).userId, 'Ana')
  await claim(ana.ctx, { ...subject, kind: 'reported' })
  expect((await listed(ana.ctx, { view: 'waiting', communityId })).map((row) => row.claim)).toEqual([undefined])
  await claim(ana.ctx, subject)
  const [row, ...more] = await listed(ana.ctx, { view: 'mine' })
  expect([row?.reasons, more]).toEqual([undefined, []])
  expect((await countQueue(ana.ctx)).mine).toBe(1)
  expect((await readItem(ana.ctx, { ...subject, isMine: true })).item.reasons).toBeUndefined()
})

test('reported messages and people are claimed by those who decide on them', async () => {
  const { channelId } = await make.channel()
  const { messageId } = await make.message({ channelId })
  const reporter = await make.channelUser({ channelId })
  await flag(ctxOf(database, asUser(reporter.userId)), flaggableMessage, { id: messageId, flag: REASON })
  const ana = await named((await make.moderatorOf(channelId)).userId, 'Ana')
  const message = { subjectType: 'message' as const, subjectId: messageId }
  await claim(ana.ctx, { ...message, kind: 'reported' })
  expect([await claimantOf(ana.ctx, message), await mine(ana.ctx)]).toEqual(['Ana', [messageId]])
  const [logged] = await prisma.audit.findMany({ where: { ...message, action: 'message.claimed' } })
  expect(logged).toMatchObject({ channelId })

  const { userId } = await make.user()
  await flag(ctxOf(database, asUser(reporter.userId)), flaggableUser, { id: userId, flag: REASON })
  const person = { subjectType: 'user' as const, subjectId: userId }
  const cem = await named((await make.user({ roles: ['global-admin'] })).userId, 'Cem')
  const permissions = new Set<Permission>(['BAN_USER'])
  const admin = ctxOf(database, { kind: 'admin', userId: cem.userId, name: 'Cem', rank: 600, permissions })
  await claim(admin, { ...person, kind: 'reported' })
  expect([await claimantOf(admin, person), await mine(admin)]).toEqual(['Cem', [userId]])
})

test('who moderates the messages of all channels claims them too', async () => {
  const { channelId } = await make.channel()
  const { messageId } = await make.message({ channelId })
  const reporter = await make.channelUser({ channelId })
  await flag(ctxOf(database, asUser(reporter.userId)), flaggableMessage, { id: messageId, flag: REASON })
  const permissions: Permission[] = ['MANAGE_POST_AND_COMMENT', 'VIEW_CHANNELS']
  await prisma.role.create({
    data: { roleId: 'all-messages', rank: 500, scope: 'network', permissions },
  })
  const ida = await named((await make.user({ roles: ['all-messages'] })).userId, 'Ida')
  const admin = ctxOf(database, {
    kind: 'admin',
    userId: ida.userId,
    name: 'Ida',
    rank: 500,
    permissions: new Set(permissions),
  })
  const message = { subjectType: 'message' as const, subjectId: messageId }
  await claim(admin, { ...message, kind: 'reported' })
  expect([await claimantOf(admin, message), await mine(admin)]).toEqual(['Ida', [messageId]])
})
