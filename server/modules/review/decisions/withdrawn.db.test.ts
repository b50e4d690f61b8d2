import { expect, test } from 'vitest'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import type { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import { deleteMessage } from '#server/modules/content/messages/delete-message.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { deletePost } from '#server/modules/content/posts/delete-post.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { removeMessage, restoreRemovedMessage } from '#server/modules/desk/messages/remove-message.ts'
import { decide, restoreRejected } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rejectedByRule } from '#server/testing/rejected-by-rule.ts'

const { database, prisma, make } = await testDatabase()
const CHANGED = { code: 'CHANGED' }
const TYPES = ['comment', 'post', 'message'] as const
type Type = (typeof TYPES)[number]

async function held(over: { communityId?: string; referenceId?: string; flagCount?: number } = {}) {
  const { communityId, commentId, userId } = await make.heldComment(over)
  const moderator = ctxOf(database, await make.reviewerOf(communityId), { undoWindowMs: 600_000 })
  return { communityId, subject: { subjectType: 'comment', subjectId: commentId } as const, userId, moderator }
}

/** Public content with its author, and somebody who moderates it. */
async function published(type: Type) {
  const { userId } = await make.user()
  const options = { undoWindowMs: 600_000 }
  if (type === 'message') {
    const { channelId } = await make.channel()
    const { messageId } = await make.message({ channelId, userId })
    const moderator = await make.moderatorOf(channelId)
    return { subjectId: messageId, userId, moderator: ctxOf(database, asUser(moderator.userId), options) }
  }
  const { communityId } = await make.community()
  await make.member({ communityId, userId })
  const subjectId =
    type === 'comment'
      ? (await make.heldComment({ communityId, userId, approvalStatus: null })).commentId
      : (await make.post({ communityId, postedUserId: userId })).postId
  return { subjectId, userId, moderator: ctxOf(database, await make.reviewerOf(communityId), options) }
}

const FLAGGABLE = { comment: flaggableComment, post: flaggablePost, message: flaggableMessage }
const flaggable = (type: Type) => FLAGGABLE[type] as unknown as typeof flaggableUser

function deleteOwn(type: Type, subjectId: string, userId: string): Promise<void> {
  const ctx = ctxOf(database, asUser(userId), { source: 'rest' })
  if (type === 'comment') return deleteComment(ctx, { commentId: subjectId, permanent: false })
  if (type === 'post') return deletePost(ctx, { postId: subjectId, permanent: false })
  return deleteMessage(ctx, { messageId: subjectId, permanent: false })
}

function isDeleted(type: Type, id: string): Promise<boolean> {
  const found = {
    comment: () => prisma.comment.findUniqueOrThrow({ where: { commentId: id } }),
    post: () => prisma.post.findUniqueOrThrow({ where: { postId: id } }),
    message: () => prisma.message.findUniqueOrThrow({ where: { messageId: id } }),
  }
  return found[type]().then(({ isDeleted }) => isDeleted)
}

const deletionsOf = (subjectId: string) =>
  prisma.audit.count({ where: { subjectId, action: { endsWith: '.deleted' }, actorId: { startsWith: 'user-' } } })

test('what rules rejected and its author deleted is not restored, and the deletion is logged once', async () => {
  const { communityId, subject, userId, moderator } = await held()
  await rejectedByRule(database, { communityId, commentId: subject.subjectId })
  await deleteOwn('comment', subject.subjectId, userId)
  await deleteOwn('comment', subject.subjectId, userId)
  const { version } = await prisma.comment.findUniqueOrThrow({ where: { commentId: subject.subjectId } })
  await expect(restoreRejected(moderator, { ...subject, version })).rejects.toMatchObject(CHANGED)
  expect(await isDeleted('comment', subject.subjectId)).toBe(true)
  expect(await deletionsOf(subject.subjectId)).toBe(1)
})

test('a rejection cannot be undone once the author deleted the comment', async () => {
  const { subject, userId, moderator } = await held()
  const { decisionId } = await decide(moderator, { ...subject, outcome: 'rejected' })
  await deleteOwn('comment', subject.subjectId, userId)
  await expect(undoDecision(moderator, { decisionId })).rejects.toMatchObject(CHANGED)
})

test.each(TYPES)('the deletion of a reported %s cannot be undone once its author deleted it', async (type) => {
  const { subjectId, userId, moderator } = await published(type)
  const subject = { subjectType: type, subjectId }
  const reporter = await make.user()
  if (type === 'message') {
    const { channelId } = await prisma.message.findUniqueOrThrow({ where: { messageId: subjectId } })
    await make.channelUser({ channelId, userId: reporter.userId })
  }
  await flag(ctxOf(database, asUser(reporter.userId)), flaggable(type), { id: subjectId, flag: { reason: 'spam' } })
  const { decisionId } = await decide(moderator, { ...subject, outcome: 'deleted' })
  await deleteOwn(type, subjectId, userId)
  await expect(undoDecision(moderator, { decisionId })).rejects.toMatchObject(CHANGED)
  expect(await isDeleted(type, subjectId)).toBe(true)
})

test('a message that a moderator deleted is not brought back once its author deleted it', async () => {
  const { subjectId: messageId, userId, moderator } = await published('message')
  await removeMessage(moderator, { messageId })
  await deleteOwn('message', messageId, userId)
  await expect(restoreRemovedMessage(moderator, { messageId })).rejects.toMatchObject(CHANGED)
  expect(await isDeleted('message', messageId)).toBe(true)
})

test('a rejection and its restoring, as the author deletes at the same moment: never public again', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { communityId, subject, userId, moderator } = await held()
    await rejectedByRule(database, { communityId, commentId: subject.subjectId })
    const { version } = await prisma.comment.findUniqueOrThrow({ where: { commentId: subject.subjectId } })
    await Promise.allSettled([
      deleteOwn('comment', subject.subjectId, userId),
      restoreRejected(moderator, { ...subject, version }),
    ])
    expect(await isDeleted('comment', subject.subjectId)).toBe(true)
  }
})

/** A held comment on a post, or on an attachment of one, and what makes that go. */
async function onPost({ isOnAttachment = false, flagCount = 0 } = {}) {
  const { communityId } = await make.community()
  const { postId, postedUserId } = await make.post({ communityId })
  const attachment = isOnAttachment && (await make.post({ communityId, parentPostId: postId, dataType: 'image' }))
  const place = attachment ? attachment.postId : postId
  const go = (permanent: boolean) =>
    deletePost(ctxOf(database, asUser(postedUserId), { source: 'rest' }), { postId, permanent })
  return { ...(await held({ communityId, referenceId: place, flagCount })), go }
}

const WAYS = [
  ['deleted', false, {}],
  ['erased', true, {}],
  ['an attachment of one that was erased', true, { isOnAttachment: true }],
] as const

test.each(
  WAYS,
)('a decision that is undone puts no comment back in the queue once its post is %s, and fails if that is for good', async (_, permanent, of) => {
  for (const outcome of ['approved', 'rejected'] as const) {
    const { subject, moderator, go } = await onPost(of)
    const { decisionId } = await decide(moderator, { ...subject, outcome })
    await go(permanent)
    const undone = undoDecision(moderator, { decisionId })
    await (permanent ? expect(undone).rejects.toMatchObject(CHANGED) : undone)
    expect((await countQueue(moderator)).total).toBe(0)
  }
})

test.each(
  WAYS,
)('the deletion of a reported comment that is held brings back its report alone, once its post is %s and it is undone', async (_, permanent, of) => {
  const { subject, moderator, go } = await onPost({ ...of, flagCount: 1 })
  const { decisionId } = await decide(moderator, { ...subject, outcome: 'deleted' })
  await go(permanent)
  await undoDecision(moderator, { decisionId })
  expect(await countQueue(moderator)).toMatchObject({ total: 0, reported: 1 })
})

test('an imported comment without its post waits again once its deletion is undone', async () => {
  const { subject, moderator } = await held({ referenceId: 'never-there', flagCount: 1 })
  const { decisionId } = await decide(moderator, { ...subject, outcome: 'deleted' })
  await undoDecision(moderator, { decisionId })
  expect(await countQueue(moderator)).toMatchObject({ total: 1, reported: 1 })
})

test.each([
  [
    'its author deleted it',
    (it: Awaited<ReturnType<typeof onPost>>) => deleteOwn('comment', it.subject.subjectId, it.userId),
  ],
  ['its post is deleted', ({ go }: Awaited<ReturnType<typeof onPost>>) => go(false)],
  ['its post is erased', ({ go }: Awaited<ReturnType<typeof onPost>>) => go(true)],
])('what rules rejected is neither offered to be restored nor restored once %s', async (_, happen) => {
  const item = await onPost()
  const { communityId, subject, moderator } = item
  await rejectedByRule(database, { communityId, commentId: subject.subjectId })
  expect((await readItem(moderator, subject)).decided).toMatchObject({ isRestorable: true })
  await happen(item)
  const page = await readItem(moderator, subject)
  expect(page.decided).toMatchObject({ isByRules: true, isRestorable: false })
  await expect(restoreRejected(moderator, { ...subject, version: page.item.version })).rejects.toMatchObject(CHANGED)
})
