import { expect, test } from 'vitest'
import { flag } from '#server/modules/content/flags/flag.ts'
import { deletePost } from '#server/modules/content/posts/delete-post.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { claim } from '#server/modules/review/claims/claim.ts'
import { decide, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { writtenComment } from '#server/testing/rules-on.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const CHANGED = { code: 'CHANGED' }

const outcomes = { subjectType: 'post' } as const

/** An approved post with two held comments, one of them on its attachment, and its moderator. */
async function commentedPost() {
  const { communityId } = await make.community({ needApprovalOnCommentCreation: true })
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  const { postId } = await make.heldPost({ communityId, postedUserId: userId })
  const { postId: attachmentId } = await make.post({
    communityId,
    postedUserId: userId,
    parentPostId: postId,
    dataType: 'image',
  })
  const reviewer = await make.reviewerOf(communityId)
  const moderator = ctxOf(database, reviewer, { undoWindowMs: 600_000 })
  await decide(moderator, { ...outcomes, subjectId: postId, outcome: 'approved' })
  const author = ctxOf(database, asUser(userId), { source: 'rest' })
  const write = (referenceId: string) =>
    writtenComment(author, { referenceType: 'post', referenceId, data: { text: 'What a tram' } })
  const commentIds = [await write(postId), await write(attachmentId)]
  const pending = async () => {
    const { items } = await listDeskQueue(moderator, DeskQueueInput.parse({ communityId }))
    return [items.map(({ subjectId }) => subjectId).toSorted(), (await countQueue(moderator)).total]
  }
  return { communityId, postId, author, moderator, write, commentIds: commentIds.toSorted(), pending }
}

const GONE = [[], 0]

test('the held comments of a reported post leave the queue as it is deleted, and come back as that is undone', async () => {
  const { communityId, postId, moderator, commentIds, pending } = await commentedPost()
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  await flag(ctxOf(database, asUser(userId)), flaggablePost, { id: postId, flag: { reason: 'spam' } })
  const { decisionId } = await decide(moderator, { ...outcomes, subjectId: postId, outcome: 'deleted' })
  expect(await pending()).toEqual(GONE)
  await undoDecision(moderator, { decisionId })
  expect(await pending()).toEqual([commentIds, 2])
})

test('the held comments of a post whose approval is reversed leave the queue, and come back as that is undone', async () => {
  const { postId, moderator, commentIds, pending } = await commentedPost()
  const { version } = await prisma.post.findUniqueOrThrow({ where: { postId } })
  const { decisionId } = await reverseDecision(moderator, { ...outcomes, subjectId: postId, version })
  expect(await pending()).toEqual(GONE)
  await undoDecision(moderator, { decisionId })
  expect(await pending()).toEqual([commentIds, 2])
})

test('nobody decides on, claims or brings back a comment of a post that its author deleted', async () => {
  const { postId, author, moderator, commentIds, pending } = await commentedPost()
  const [subjectId = '', rejectedId = ''] = commentIds
  const comment = { subjectType: 'comment', subjectId } as const
  const { decisionId } = await decide(moderator, { ...comment, subjectId: rejectedId, outcome: 'rejected' })
  await deletePost(author, { postId, permanent: false })
  for (const outcome of ['approved', 'rejected'] as const)
    await expect(decide(moderator, { ...comment, outcome })).rejects.toMatchObject(CHANGED)
  await expect(claim(moderator, comment)).rejects.toMatchObject(CHANGED)
  await undoDecision(moderator, { decisionId })
  await deletePost(author, { postId, permanent: true })
  expect(await pending()).toEqual(GONE)
  const score = { type: 'comment', id: subjectId, name: 'toxicity', score: 0.9 }
  await recordSignals(ctxOf(database, asAdmin()), NewSignals.parse({ signals: [score] }))
  expect(await pending()).toEqual(GONE)
})

test(`comments written and decided as their post is deleted, ${scaled(5)} times: none is left in the queue, and each answer is true`, async () => {
  for (let round = 0; round < scaled(5); round += 1) {
    const { postId, author, moderator, write, commentIds, pending } = await commentedPost()
    const [subjectId = ''] = commentIds
    const [deleted, decided] = await Promise.allSettled([
      deletePost(author, { postId, permanent: false }),
      decide(moderator, { subjectType: 'comment', subjectId, outcome: 'approved' }),
      write(postId),
      write(postId),
    ])
    expect(deleted.status).toBe('fulfilled')
    expect(await pending()).toEqual(GONE)
    const { approvalStatus } = await prisma.comment.findUniqueOrThrow({ where: { commentId: subjectId } })
    expect(approvalStatus).toBe(decided.status === 'fulfilled' ? 'approved' : 'pending')
  }
})
