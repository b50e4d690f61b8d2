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
import { decide } from '#server/modules/review/decisions/decide.ts'
import { restoreRejected } from '#server/modules/review/decisions/restore-rejected.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { rejectedByRule } from '#server/testing/rejected-by-rule.ts'

const { database } = await testDatabase()
const { prisma } = database
const make = { ...factoriesOf(database), ...channelFactoriesOf(database) }
const CHANGED = { code: 'CHANGED' }
const TYPES = ['comment', 'post', 'message'] as const
type Type = (typeof TYPES)[number]

async function held() {
  const { communityId, commentId, userId } = await make.heldComment()
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
