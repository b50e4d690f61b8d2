import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { readRecent } from '#server/modules/review/items/read-recent.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)
const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 8, minute))

/** A person with a comment, a rejected comment, a post and two messages, one of them in a private conversation. */
async function somebodyWhoWrites() {
  const { userId } = await make.user({ displayName: 'Quarrel Some' })
  const { communityId } = await make.community({ displayName: 'Harbour' })
  const { channelId } = await make.channel({ displayName: 'Quay chat' })
  const { channelId: conversation } = await make.channel({ type: 'conversation' })
  await make.heldComment({ communityId, userId, approvalStatus: null, data: { text: 'comment' }, createdAt: at(1) })
  const rejected = { approvalStatus: 'rejected', isDeleted: true } as const
  await make.heldComment({ communityId, userId, ...rejected, data: { text: 'rejected' }, createdAt: at(2) })
  await make.heldComment({ communityId, userId, approvalStatus: null, isDeleted: true, createdAt: at(3) })
  const { postId } = await make.post({ communityId, postedUserId: userId, data: { text: 'post' } })
  await database.prisma.post.update({ where: { postId }, data: { createdAt: at(4) } })
  await make.message({ channelId, userId, data: { text: 'message' }, createdAt: at(5) })
  await make.message({ channelId: conversation, userId, data: { text: 'private' }, createdAt: at(6) })
  return { userId, communityId, channelId }
}

async function networkModerator(): Promise<Actor & { userId: string }> {
  const { userId } = await make.user()
  const permissions = new Set<Permission>(['BAN_USER', 'MANAGE_POST_AND_COMMENT', 'DELETE_MESSAGE', 'VIEW_CHANNELS'])
  return { kind: 'admin', userId, name: 'Moderator', rank: 600, permissions }
}

test('shows the latest content of a reported person beside the report, newest first', async () => {
  const { userId } = await somebodyWhoWrites()
  await flag(as(asUser((await make.user()).userId)), flaggableUser, { id: userId, flag: { reason: 'Spam or scams' } })
  const read = await readItem(as(await networkModerator()), {
    subjectType: 'user',
    subjectId: userId,
    isReported: true,
  })
  expect(read.recent?.map(({ subjectType, text, spaceName }) => [subjectType, text, spaceName])).toEqual([
    ['message', 'message', 'Quay chat'],
    ['post', 'post', 'Harbour'],
    ['comment', 'rejected', 'Harbour'],
    ['comment', 'comment', 'Harbour'],
  ])
})

test('shows only content of spaces the caller reviews', async () => {
  const { userId, communityId, channelId } = await somebodyWhoWrites()
  const textsFor = async (actor: Actor) => (await readRecent(as(actor), userId)).map(({ text }) => text)
  expect(await textsFor(await make.reviewerOf(communityId))).toEqual(['post', 'rejected', 'comment'])
  expect(await textsFor(asUser((await make.moderatorOf(channelId)).userId))).toEqual(['message'])
  expect(await textsFor(asUser((await make.user()).userId))).toEqual([])
})
