import { describe, expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { inTransaction, query, sql } from '#server/core/db.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { editPost } from '#server/modules/content/posts/edit-post.ts'
import { decide, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import { commentHandler } from '#server/modules/review/decisions/handlers/comment.ts'
import type { HeldOutcome, Subject } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { asUser, clockAt, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over = {}) => ctxOf(database, actor, over)

type Kind = 'comment' | 'post'
type Held = Subject & { subjectType: Kind } & { communityId: string; authorId: string }

async function held(subjectType: Kind, communityId: string): Promise<Held> {
  if (subjectType === 'comment') {
    const { commentId, userId } = await make.heldComment({ communityId })
    return { subjectType, subjectId: commentId, communityId, authorId: userId }
  }
  const { postId, postedUserId } = await make.heldPost({ communityId })
  return { subjectType, subjectId: postId, communityId, authorId: postedUserId }
}

/** A pending item of this type in a community of its own, and one of its reviewers. */
async function waiting(subjectType: Kind) {
  const { communityId } = await make.community()
  const item = await held(subjectType, communityId)
  return { item, subject: { subjectType, subjectId: item.subjectId }, reviewer: await make.reviewerOf(communityId) }
}

const APPROVED = { comment: { approvalStatus: 'approved', isDeleted: false }, post: { feedType: 'published' } }
const REJECTED = { comment: { approvalStatus: 'rejected', isDeleted: true }, post: { feedType: 'declined' } }
const WAITING = { comment: { approvalStatus: 'pending', isDeleted: false }, post: { feedType: 'reviewing' } }
const STANDING = { approved: APPROVED, rejected: REJECTED, waiting: WAITING }
const EVENT: Record<HeldOutcome, Record<Kind, string>> = {
  approved: { comment: 'v3.comment.didApprove', post: 'v3.post.didApprove' },
  rejected: { comment: 'v3.comment.didDelete', post: 'v3.post.didDecline' },
}

const standingOf = ({ subjectType, subjectId }: Subject) =>
  subjectType === 'comment'
    ? prisma.comment.findUnique({ where: { commentId: subjectId } })
    : prisma.post.findUnique({ where: { postId: subjectId } })
const decisionsOn = ({ subjectId }: Subject) =>
  prisma.decision.findMany({ where: { subjectId }, orderBy: { decisionId: 'asc' } })
const eventsOf = ({ subjectId }: Subject) =>
  prisma.event.findMany({ where: { subjectId }, orderBy: { eventId: 'asc' }, select: { name: true, state: true } })
const actionsOn = async ({ subjectId }: Subject) =>
  (await prisma.audit.findMany({ where: { subjectId }, orderBy: { auditId: 'asc' } })).map(({ action }) => action)
const heldFor = async (reviewer: Actor) => (await countQueue(as(reviewer))).total

describe.each(['comment', 'post'] as const)('a held %s', (kind) => {
  test.each([
    'approved',
    'rejected',
  ] as const)('is %s: moved, counted out, logged, told and written down once', async (outcome) => {
    const { item, subject, reviewer } = await waiting(kind)

    const decided = await decide(as(reviewer), { ...subject, version: 1, outcome })

    expect(decided).toMatchObject({ ...subject, outcome, version: 2 })
    expect(await standingOf(item)).toMatchObject({ ...STANDING[outcome][kind], version: 2 })
    expect(await heldFor(reviewer)).toBe(0)
    expect(await actionsOn(item)).toEqual([`${kind}.${outcome}`])
    expect(await eventsOf(item)).toEqual([{ name: EVENT[outcome][kind], state: 'held' }])
    expect(await decisionsOn(item)).toMatchObject([
      { outcome, isReversal: false, authorId: item.authorId, decidedBy: reviewer.userId, version: 2 },
    ])
  })

  test.each([
    'approved',
    'rejected',
  ] as const)('that was %s waits again after an undo, at its old place', async (outcome) => {
    const { item, subject, reviewer } = await waiting(kind)
    const before = await standingOf(item)
    const { decisionId } = await decide(as(reviewer), { ...subject, version: 1, outcome })

    expect(await undoDecision(as(reviewer), { decisionId })).toEqual({ ...subject, version: 3 })

    expect(await standingOf(item)).toMatchObject({
      ...STANDING.waiting[kind],
      version: 3,
      queuedAt: before?.queuedAt,
    })
    expect(await heldFor(reviewer)).toBe(1)
    expect(await eventsOf(item)).toMatchObject([{ state: 'cancelled' }, { name: `desk.${kind}.didUndo` }])
    expect(await actionsOn(item)).toEqual([`${kind}.${outcome}`, `${kind}.undone`])
  })

  test('can be reversed into a rejection by any reviewer long after its approval, as a new decision', async () => {
    const { item, subject, reviewer } = await waiting(kind)
    const colleague = await make.reviewerOf(item.communityId)
    const clock = clockAt('2026-01-01T00:00:00Z')
    await decide(as(reviewer, { now: clock.now }), { ...subject, version: 1, outcome: 'approved' })
    clock.advance(86_400_000)

    const reversed = await reverseDecision(as(colleague, { now: clock.now }), {
      ...subject,
      version: 2,
      reason: 'Read again',
    })

    expect(reversed).toMatchObject({ outcome: 'rejected', version: 3 })
    expect(await standingOf(item)).toMatchObject({ ...STANDING.rejected[kind], version: 3 })
    expect(await decisionsOn(item)).toMatchObject([
      { outcome: 'approved', isReversal: false },
      { outcome: 'rejected', isReversal: true, decidedBy: colleague.userId, reason: 'Read again' },
    ])
    expect(await actionsOn(item)).toEqual([`${kind}.approved`, `${kind}.reversed`])

    await undoDecision(as(colleague, { now: clock.now }), reversed)
    expect(await standingOf(item)).toMatchObject({ ...STANDING.approved[kind], version: 4 })
    expect(await heldFor(reviewer)).toBe(0)
  })

  test('is reversed only if it is approved and unchanged; a rejection is final', async () => {
    const { item, subject, reviewer } = await waiting(kind)
    const reverse = (version: number) => reverseDecision(as(reviewer), { ...subject, version }).catch(failureOf)

    expect(await reverse(1)).toBe('CHANGED')
    await decide(as(reviewer), { ...subject, version: 1, outcome: 'approved' })
    expect(await reverse(1)).toBe('CHANGED')
    expect(await reverse(2)).toMatchObject({ version: 3 })
    expect(await reverse(3)).toBe('CHANGED')
    expect(await decide(as(reviewer), { ...subject, version: 3, outcome: 'approved' }).catch(failureOf)).toBe('CHANGED')
    expect(await decisionsOn(item)).toHaveLength(2)
  })

  test('can’t be decided by its author, or by a reviewer of another community', async () => {
    const { item, subject } = await waiting(kind)
    await make.member({ communityId: item.communityId, userId: item.authorId, roles: ['community-moderator'] })
    const elsewhere = await make.reviewerOf((await make.community()).communityId)
    const tried = (actor: Actor) => decide(as(actor), { ...subject, version: 1, outcome: 'approved' }).catch(failureOf)

    expect(await tried(asUser(item.authorId))).toBe('FORBIDDEN')
    expect(await tried(elsewhere)).toBe('NOT_FOUND')
    expect(await decisionsOn(item)).toEqual([])
  })

  test('is decided once under one key, sent again later or twice at once, and gets the same response each time', async () => {
    const { item, subject, reviewer } = await waiting(kind)
    const send = () =>
      decide(as(reviewer), { ...subject, version: 1, outcome: 'approved', clientKey: `key of ${item.subjectId}` })

    const [first, second] = await Promise.all([send(), send()])
    expect(second).toEqual(first)
    expect(await send()).toEqual(first)
    expect(await decisionsOn(item)).toHaveLength(1)
    expect(await eventsOf(item)).toHaveLength(1)
    expect(await actionsOn(item)).toHaveLength(1)
  })

  test('rejects a key that was used for something else', async () => {
    const { item, subject, reviewer } = await waiting(kind)
    const other = await held(kind, item.communityId)
    const clientKey = `key of ${item.subjectId}`
    await decide(as(reviewer), { ...subject, version: 1, outcome: 'approved', clientKey })

    for (const again of [
      { ...subject, version: 1, outcome: 'rejected' as const },
      { subjectType: kind, subjectId: other.subjectId, version: 1, outcome: 'approved' as const },
    ]) {
      expect(await decide(as(reviewer), { ...again, clientKey }).catch(failureOf)).toBe('CHANGED')
    }
    expect(await standingOf(other)).toMatchObject(STANDING.waiting[kind])
    const colleague = await make.reviewerOf(item.communityId)
    expect(
      await decide(as(colleague), { subjectType: kind, subjectId: other.subjectId, outcome: 'approved', clientKey }),
    ).toMatchObject({ version: 2 })
  })

  test('of two concurrent decisions under one key, one succeeds and the other fails', async () => {
    const { item, reviewer } = await waiting(kind)
    const other = await held(kind, item.communityId)
    const clientKey = `key of ${item.subjectId}`
    const results = await Promise.all(
      [item, other].map(({ subjectType, subjectId }) =>
        decide(as(reviewer), { subjectType, subjectId, outcome: 'approved', clientKey }).then(
          ({ outcome }) => outcome,
          failureOf,
        ),
      ),
    )
    expect(results.sort()).toEqual(['CHANGED', 'approved'])
    expect(await heldFor(reviewer)).toBe(1)
  })

  test('uses the text of a managed reason, and rejects one that is unknown or no longer offered', async () => {
    const { item, subject, reviewer } = await waiting(kind)
    await prisma.rejectionReason.create({
      data: { reasonId: `old-${kind}`, position: 99, label: 'Old', isArchived: true },
    })
    const reject = (reasonId: string) =>
      decide(as(reviewer), { ...subject, version: 1, outcome: 'rejected', reasonId }).catch(failureOf)

    expect(await reject('no-such-reason')).toBe('INVALID_PARAMETERS')
    expect(await reject(`old-${kind}`)).toBe('INVALID_PARAMETERS')
    expect(await standingOf(item)).toMatchObject({ ...STANDING.waiting[kind], version: 1 })
    await reject('spam')
    expect(await decisionsOn(item)).toMatchObject([{ reasonId: 'spam', reason: 'Spam or scams' }])
  })

  test('is no longer escalated once decided, and escalated again after an undo', async () => {
    const { subject, reviewer } = await waiting(kind)
    await make.escalated(subject)
    const counted = async () => {
      const { total, escalated } = await countQueue(as(reviewer))
      return { total, escalated }
    }
    expect(await counted()).toEqual({ total: 0, escalated: 1 })

    // However long the write takes.
    let at = Date.now()
    const now = () => new Date(at++)
    const { decisionId } = await decide(as(reviewer, { now }), { ...subject, version: 1, outcome: 'rejected' })
    expect(await counted()).toEqual({ total: 0, escalated: 0 })

    await undoDecision(as(reviewer), { decisionId })
    expect(await counted()).toEqual({ total: 0, escalated: 1 })
  })
})

test('attachments move with their post, and can’t be decided alone', async () => {
  const { item, subject, reviewer } = await waiting('post')
  const attached = { postId: `${item.subjectId}-image`, parentPostId: item.subjectId, postedUserId: item.authorId }
  await prisma.post.create({
    data: { ...attached, communityId: item.communityId, feedType: 'reviewing', dataType: 'image' },
  })
  const feedOf = async (postId: string) => (await prisma.post.findUniqueOrThrow({ where: { postId } })).feedType

  expect(
    await decide(as(reviewer), { subjectType: 'post', subjectId: attached.postId, outcome: 'approved' }).catch(
      failureOf,
    ),
  ).toBe('FORBIDDEN')
  const { decisionId } = await decide(as(reviewer), { ...subject, version: 1, outcome: 'approved' })
  expect([await feedOf(item.subjectId), await feedOf(attached.postId)]).toEqual(['published', 'published'])
  await undoDecision(as(reviewer), { decisionId })
  expect([await feedOf(item.subjectId), await feedOf(attached.postId)]).toEqual(['reviewing', 'reviewing'])
})

test('a comment that is flagged after it was read, and before it is rejected, is read again, and the rejection closes its report', async () => {
  const { item, subject, reviewer } = await waiting('comment')
  const colleague = as(await make.reviewerOf(item.communityId))
  const ctx = as(reviewer)
  const rejection = { ...subject, outcome: 'rejected' } as const
  const { atOnce } = commentHandler
  const read = await atOnce?.readOne(ctx, rejection)
  await flag(colleague, flaggableComment, { id: item.subjectId, flag: { reason: 'Spam or scams' } })

  const move = { from: 'waiting', to: 'rejected', version: 1, at: ctx.now() } as const
  if (read?.changeTo(ctx, move) === undefined) throw new Error('it had no flags when it was read')
  const moved = atOnce?.moved(ctx, [read], move)
  expect(await query(ctx, sql`with ${moved} select from moved`)).toEqual([])
  await decide(ctx, { ...rejection, version: 1 })
  expect(await prisma.reviewItem.findMany({ where: subject, select: { kind: true, state: true } })).toEqual(
    expect.arrayContaining([
      { kind: 'held', state: 'rejected' },
      { kind: 'reported', state: expect.not.stringMatching('waiting') },
    ]),
  )
})

test('an attachment is edited without waiting for its post, whose item stays as its author just edited it', async () => {
  const { item } = await waiting('post')
  const image = { postId: `${item.subjectId}-image`, parentPostId: item.subjectId, postedUserId: item.authorId }
  await prisma.post.create({
    data: { ...image, communityId: item.communityId, feedType: 'reviewing', dataType: 'image' },
  })
  const author = as(asUser(item.authorId), { source: 'rest' })
  await inTransaction(author, async (ctx) => {
    await editPost(ctx, { postId: item.subjectId, data: { text: 'Edited' } })
    await editPost(author, { postId: image.postId, data: { text: 'The harbour' } })
  })
  const where = { subjectId: item.subjectId, kind: 'held' }
  expect(await prisma.reviewItem.findFirst({ where })).toMatchObject({ version: 2, text: 'Edited' })
})
