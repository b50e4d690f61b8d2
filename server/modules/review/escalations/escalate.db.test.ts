import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { deletePost } from '#server/modules/content/posts/delete-post.ts'
import { eraseContent } from '#server/modules/people/erase-content.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { listColleagues } from '#server/modules/review/escalations/colleagues.ts'
import { deescalate, escalate, handOver } from '#server/modules/review/escalations/escalate.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { deleteCommunity } from '#server/modules/spaces/communities/delete-community.ts'
import { asAdmin, asUser, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { scaled } from '#server/testing/scaled.ts'
import { createStaffAccount } from '#server/testing/staff-account.ts'

const { database, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)
const idsIn = async (ctx: Ctx, view: 'waiting' | 'escalated') =>
  (await listDeskQueue(ctx, DeskQueueInput.parse({ view }))).items.map(({ subjectId }) => subjectId)

async function heldThing() {
  const comment = await make.heldComment()
  const reviewer = await make.reviewerOf(comment.communityId)
  return { comment, reviewer, subject: { subjectType: 'comment' as const, subjectId: comment.commentId } }
}

type Escalated = Awaited<ReturnType<typeof escalatedItem>>

/** `remove` deletes it as the caller. */
async function escalatedItem(subjectType: 'comment' | 'post') {
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const { id, authorId, remove } =
    subjectType === 'comment' ? await heldComment(communityId) : await heldPost(communityId)
  const subject = { subjectType, subjectId: id }
  await escalate(as(reviewer), { ...subject, note: 'Look at this' })
  return { communityId, reviewer, authorId, subject, remove }
}

async function heldComment(communityId: string) {
  const { commentId, userId } = await make.heldComment({ communityId })
  const remove = (ctx: Ctx, permanent: boolean) => deleteComment(ctx, { commentId, permanent })
  return { id: commentId, authorId: userId, remove }
}

async function heldPost(communityId: string) {
  const { postId, postedUserId } = await make.heldPost({ communityId })
  const remove = (ctx: Ctx, permanent: boolean) => deletePost(ctx, { postId, permanent })
  return { id: postId, authorId: postedUserId, remove }
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

const DELETIONS = {
  'its author deletes it': (item: Escalated) => item.remove(as(asUser(item.authorId)), false),
  'its author deletes it permanently': (item: Escalated) => item.remove(as(asUser(item.authorId)), true),
  'an admin deletes it': (item: Escalated) => item.remove(as(asAdmin()), false),
  'what its author wrote is erased': (item: Escalated) => eraseContent(systemCtx(database), item.authorId),
  'its community is deleted': ({ communityId }: Escalated) =>
    deleteCommunity(as(asAdmin(['DELETE_COMMUNITY'])), { communityId }),
}

test.each(
  Object.entries(DELETIONS).flatMap(([title, end]) => [
    [title, 'comment' as const, end] as const,
    [title, 'post' as const, end] as const,
  ]),
)('once %s, an escalated %s is neither listed nor counted as escalated', async (_title, subjectType, end) => {
  const item = await escalatedItem(subjectType)
  const ctx = as(item.reviewer)
  expect(await countQueue(ctx)).toMatchObject({ total: 0, escalated: 1 })

  await end(item)

  expect(await idsIn(ctx, 'escalated')).toEqual([])
  expect(await countQueue(ctx)).toMatchObject({ total: 0, escalated: 0 })
})

test(`of an escalation and a deletion at once none leaves an open escalation, in ${scaled(10)} rounds`, async () => {
  for (let round = 0; round < scaled(10); round += 1) {
    const { subject, comment, reviewer } = await heldThing()
    const author = as(asUser(comment.userId))
    await Promise.allSettled([
      escalate(as(reviewer), { ...subject, note: 'one' }),
      deleteComment(author, { commentId: comment.commentId, permanent: round % 2 === 0 }),
    ])
    expect(await countQueue(as(reviewer))).toMatchObject({ total: 0, escalated: 0 })
  }
})

test('of two concurrent escalations one succeeds and the other fails with CHANGED', async () => {
  for (let round = 0; round < scaled(5); round += 1) {
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
