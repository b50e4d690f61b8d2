import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { muteDeskMembers } from '#server/modules/desk/spaces/member-acts.ts'
import { writeNote } from '#server/modules/people/notes/notes.ts'
import { decide, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { banPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import type { OneSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)
const HOUR = 60

async function heldTwice() {
  const { communityId } = await make.community({ displayName: 'Harbour' })
  const { userId } = await make.user({ displayName: 'Author' })
  await make.member({ communityId, userId })
  const [first, second] = await Promise.all([
    make.heldComment({ communityId, userId }),
    make.heldComment({ communityId, userId }),
  ])
  const reviewer = await make.reviewerOf(communityId)
  const subjectOf = ({ commentId }: typeof first) => ({ subjectType: 'comment' as const, subjectId: commentId })
  return { communityId, userId, first: subjectOf(first), second: subjectOf(second), reviewer, ctx: as(reviewer) }
}

test('an approval can be reversed while it is in force, in every view of the item; a rejection cannot', async () => {
  const { first, second, ctx } = await heldTwice()
  await decide(ctx, { ...first, outcome: 'approved' })

  expect((await readItem(ctx, first)).decided).toMatchObject({ outcome: 'approved', isReversible: true })
  const latest = async () => (await readItem(ctx, second)).author.decisions.latest
  expect(await latest()).toMatchObject([{ ...first, outcome: 'approved', isReversible: true }])

  await reverseDecision(ctx, { ...first, version: 2, reasonId: 'spam' })
  expect((await readItem(ctx, first)).decided).toMatchObject({ outcome: 'rejected', isReversible: false })
  expect((await latest()).map(({ outcome, isReversible }) => [outcome, isReversible])).toEqual([
    ['rejected', false],
    ['approved', false],
  ])
})

test('what a deleted community holds is not waiting, and nothing is offered on its page', async () => {
  const { communityId, first } = await heldTwice()
  const admin = as(asAdmin())
  expect(await readItem(admin, first)).toMatchObject({ isWaiting: true, item: { allowed: ['approved', 'rejected'] } })
  await database.prisma.community.update({ where: { communityId }, data: { isDeleted: true } })
  expect(await readItem(admin, first)).toMatchObject({ isWaiting: false, item: { allowed: [] } })
})

test('what its author has deleted, and one’s own work, cannot be reversed', async () => {
  const { first, second, communityId, userId, ctx } = await heldTwice()
  for (const subject of [first, second]) await decide(ctx, { ...subject, outcome: 'approved' })
  await database.prisma.comment.update({ where: { commentId: first.subjectId }, data: { isDeleted: true } })
  expect((await readItem(ctx, first)).decided).toMatchObject({ outcome: 'approved', isReversible: false })

  await database.prisma.communityUser.updateMany({
    where: { communityId, userId },
    data: { roles: ['community-moderator'] },
  })
  const own = await readItem(as(asUser(userId)), second)
  expect(own.decided).toMatchObject({ outcome: 'approved', isReversible: false })
  expect(own.author.decisions.latest.map(({ isReversible }) => isReversible)).toEqual([false, false])
})

test('an item includes notes on its author and their active bans, with space, moderator, reason and end', async () => {
  const { first, communityId, userId, reviewer, ctx } = await heldTwice()
  await writeNote(ctx, { aboutUserId: userId, communityId, text: 'Warned once' })
  await banPerson(ctx, { userId, space: { scope: 'community', communityId }, minutes: 24 * HOUR, reason: 'Spam' })
  const imported = await make.community({ displayName: 'Quay' })
  await make.member({ communityId: imported.communityId, userId, membership: 'banned' })
  const hidden = await make.community({ isPublic: false })
  await make.member({ communityId: hidden.communityId, userId, membership: 'banned' })

  const { author } = await readItem(ctx, first)
  expect(author.notes).toMatchObject([{ text: 'Warned once', isOwn: true, by: { userId: reviewer.userId } }])
  expect(author.bans).toEqual([
    {
      space: { scope: 'community', communityId },
      displayName: 'Harbour',
      by: 'Some one',
      at: expect.any(String),
      endsAt: expect.any(String),
      reason: 'Spam',
      mayLift: true,
    },
    { space: { scope: 'community', communityId: imported.communityId }, displayName: 'Quay', mayLift: false },
  ])
})

test('an item includes the mutes in force of its author, of spaces where the reader reviews or mutes', async () => {
  const { first, communityId, userId, reviewer, ctx } = await heldTwice()
  const { communityId: elsewhere } = await make.community({ displayName: 'Quay' })
  await make.member({ communityId: elsewhere, userId })
  const { channelId } = await channelFactoriesOf(database).channel({ displayName: 'Pier' })
  await channelFactoriesOf(database).channelUser({ channelId, userId })
  const admin = as(asAdmin(['BAN_USER', 'MANAGE_POST_AND_COMMENT']))
  const mute = (space: OneSpace, minutes: number) =>
    muteDeskMembers(admin, { space, userIds: [userId], minutes, reason: 'Shouts' })
  await mute({ scope: 'community', communityId }, 90)
  await mute({ scope: 'community', communityId: elsewhere }, 90)
  await mute({ scope: 'channel', channelId }, 90)

  const own = {
    space: { scope: 'community', communityId },
    displayName: 'Harbour',
    by: expect.any(String),
    at: expect.any(String),
    endsAt: expect.any(String),
    reason: 'Shouts',
    mayLift: true,
  }
  const { author } = await readItem(ctx, first)
  expect(author).toMatchObject({ bans: [], mutes: [own] })
  expect(author.mutes).toHaveLength(1)
  const all = (await readItem(admin, first)).author.mutes
  expect(all?.map(({ displayName }) => displayName)).toEqual(['Harbour', 'Quay', 'Pier'])

  await mute({ scope: 'community', communityId }, 0)
  expect((await readItem(as(reviewer), first)).author.mutes).toBeUndefined()
})

test('shows the reason of a ban only to those who review there', async () => {
  const { communityId, userId, ctx } = await heldTwice()
  await banPerson(ctx, { userId, space: { scope: 'community', communityId }, minutes: null, reason: 'Spam' })
  const elsewhere = await make.heldComment({ userId })
  const other = as(await make.reviewerOf(elsewhere.communityId))
  const { author } = await readItem(other, { subjectType: 'comment', subjectId: elsewhere.commentId })
  expect(author.bans).toEqual([{ space: { scope: 'community', communityId }, displayName: 'Harbour', mayLift: false }])
})
