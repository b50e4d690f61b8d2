import { expect, test } from 'vitest'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { forgetEvidence } from '#server/modules/ledger/evidence/forget-evidence.ts'
import { eraseContent } from '#server/modules/people/erase-content.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { readEarlier } from '#server/modules/review/items/read-earlier.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { openConversation } from '#server/modules/review/items/read-report.ts'
import { asUser, clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const NOT_FOUND = { code: 'NOT_FOUND' }
const CHANGED_AT = new Date('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000

/** A held comment, its author, who may edit others' there, and its moderator. */
async function held() {
  const { communityId, commentId, userId } = await make.heldComment({
    data: { text: 'As written' },
    createdAt: CHANGED_AT,
  })
  await make.member({ communityId, userId, roles: ['community-moderator'] })
  const clock = clockAt(CHANGED_AT.toISOString())
  const moderator = ctxOf(database, await make.reviewerOf(communityId), { now: clock.now })
  const subject = { subjectType: 'comment', subjectId: commentId } as const
  const edit = async (text: string) => {
    clock.advance(1_000)
    await editComment(ctxOf(database, asUser(userId), { now: clock.now }), { commentId, data: { text } })
  }
  const earlier = async () => (await readEarlier(moderator, subject)).map(({ text }) => text)
  const flagged = async () => {
    clock.advance(1_000)
    const { userId } = await make.user()
    await make.member({ communityId, userId })
    await flag(ctxOf(database, asUser(userId), { now: clock.now }), flaggableComment, {
      id: commentId,
      flag: { reason: 'spam' },
    })
  }
  return { communityId, commentId, userId, subject, moderator, clock, edit, earlier, flagged }
}

const keptOf = (subjectId: string) => prisma.reviewEvidence.count({ where: { subjectId } })

test('what a held comment said before each edit is kept, and read latest first by those who review it alone', async () => {
  const { subject, moderator, edit, earlier } = await held()
  expect(await readItem(moderator, subject)).toMatchObject({ earlier: 0 })
  await edit('Second words')
  await edit('Third words')
  expect(await readItem(moderator, subject)).toMatchObject({ text: 'Third words', earlier: 2 })
  expect(await earlier()).toEqual(['Second words', 'As written'])
  const stranger = ctxOf(database, await make.reviewerOf((await make.community()).communityId))
  await expect(readEarlier(stranger, subject)).rejects.toMatchObject(NOT_FOUND)
})

test('of what was decided on, the text that was judged is kept, however often it is edited afterwards', async () => {
  const { subject, moderator, edit, earlier } = await held()
  await decide(moderator, { ...subject, outcome: 'approved' })
  for (const text of ['Second words', 'Third words', 'As written', 'Fourth words']) await edit(text)
  expect(await earlier()).toEqual(['As written'])
})

test('an author who keeps editing what is pending has the first 20 texts kept, and the present one', async () => {
  const { edit, earlier } = await held()
  for (let index = 1; index <= 25; index += 1) await edit(`Words ${index}`)
  const kept = await earlier()
  expect([kept.length, kept.at(-1), kept[0]]).toEqual([20, 'As written', 'Words 19'])
})

test('what was reported and dismissed is kept when it is reported again, and shown once', async () => {
  const { subject, moderator, edit, flagged } = await held()
  await decide(moderator, { ...subject, outcome: 'approved' })
  await flagged()
  await decide(moderator, { ...subject, outcome: 'dismissed' })
  await edit('Second words')
  await flagged()
  const report = { ...subject, isReported: true }
  expect(await readItem(moderator, report)).toMatchObject({ text: 'Second words', earlier: 1 })
  expect((await readEarlier(moderator, report)).map(({ text }) => text)).toEqual(['As written'])
  expect(await prisma.reviewEvidence.count({ where: { subjectId: subject.subjectId, kind: 'reported' } })).toBe(1)
})

test('nothing is left of it once the comment is deleted for good, or its author is erased', async () => {
  const [gone, erased] = [await held(), await held()]
  for (const { edit, commentId } of [gone, erased]) {
    await edit('Second words')
    expect(await keptOf(commentId)).toBe(1)
  }
  await deleteComment(ctxOf(database, asUser(gone.userId)), { commentId: gone.commentId, permanent: true })
  while ((await eraseContent(systemCtx(database), erased.userId)) > 0);
  expect([await keptOf(gone.commentId), await keptOf(erased.commentId)]).toEqual([0, 0])
})

test('is forgotten so many days after the item was closed, and not while it is pending', async () => {
  const [pending, closed] = [await held(), await held()]
  for (const { edit } of [pending, closed]) await edit('Second words')
  await decide(closed.moderator, { ...closed.subject, outcome: 'approved' })
  await closed.flagged()
  await decide(closed.moderator, { ...closed.subject, outcome: 'deleted' })
  const reported = () => prisma.reviewItem.findFirst({ where: { subjectId: closed.commentId, kind: 'reported' } })
  const forgetAfter = async (days: number) => {
    const now = () => new Date(CHANGED_AT.getTime() + days * DAY_MS)
    while (await forgetEvidence({ ...systemCtx(database), now }, 180));
    return [await keptOf(pending.commentId), await keptOf(closed.commentId), (await reported())?.text]
  }
  expect(await forgetAfter(180)).toEqual([1, 1, 'Second words'])
  expect(await forgetAfter(181)).toEqual([1, 0, null])
})

test('earlier words of a conversation are read by nobody who hasn’t opened it', async () => {
  const { channelId } = await make.channel({ type: 'conversation' })
  const { userId } = await make.channelUser({ channelId })
  const { messageId } = await make.message({ channelId, userId, data: { text: 'Private words' } })
  const subject = { subjectType: 'message', subjectId: messageId, isReported: true } as const
  const reporter = ctxOf(database, asUser((await make.channelUser({ channelId })).userId))
  const permissions = ['MANAGE_POST_AND_COMMENT', 'VIEW_CHANNELS', 'READ_CONVERSATIONS'] as const
  const admin = { kind: 'admin', userId: (await make.user()).userId, name: 'Moderator', rank: 600 } as const
  const reader = ctxOf(database, { ...admin, permissions: new Set(permissions) })
  await flag(reporter, flaggableMessage, { id: messageId, flag: { reason: 'spam' } })
  await openConversation(reader, { messageId, reason: 'Look' })
  await decide(reader, { subjectType: 'message', subjectId: messageId, outcome: 'dismissed' })
  await prisma.message.update({ where: { messageId }, data: { data: { text: 'Other words' } } })
  await flag(reporter, flaggableMessage, { id: messageId, flag: { reason: 'spam' } })

  expect((await readEarlier(reader, subject)).map(({ text }) => text)).toEqual(['Private words'])
  const userIds = [await make.user(), await make.user()].map(({ userId }) => userId)
  const outside = [new Set(permissions), new Set(['MANAGE_POST_AND_COMMENT', 'VIEW_CHANNELS'] as const)]
  for (const [index, permissions] of outside.entries()) {
    const ctx = ctxOf(database, { ...admin, userId: userIds[index] ?? '', permissions })
    await expect(readEarlier(ctx, subject)).rejects.toMatchObject(NOT_FOUND)
    const item = await readItem(ctx, subject).catch(() => ({ earlier: 0 }))
    expect(item.earlier).toBe(0)
  }
})
