import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'
import { openConversation } from '#server/modules/desk/messages/open-conversation.ts'
import { readMessageAround } from '#server/modules/desk/messages/read-around.ts'
import { removeMessage, restoreRemovedMessage } from '#server/modules/desk/messages/remove-message.ts'
import { DeskMessagesInput } from '#server/modules/desk/messages/schema.ts'
import { searchDeskMessages } from '#server/modules/desk/messages/search-messages.ts'
import { asAdmin, asUser, clockAt, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)
const word = () => `w${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`
const search = async (ctx: Ctx, over: object) => searchDeskMessages(ctx, DeskMessagesInput.parse(over))
const idsOf = async (ctx: Ctx, over: object) => (await search(ctx, over)).messages.map(({ messageId }) => messageId)

/** A user of the network with these permissions, with a record in the log of what they open. */
async function staff(permissions: Parameters<typeof asAdmin>[0] = [...NETWORK_PERMISSIONS]): Promise<Actor> {
  const { userId } = await make.user()
  return { ...asAdmin(permissions), userId, rank: 1_000 } as Actor
}

test('finds messages by words, phrase, channel, author, kind, tag and day, each narrowing the others', async () => {
  const rare = word()
  const { channelId } = await make.channel()
  const other = await make.channel()
  const author = await make.user()
  const at = (day: string) => new Date(`${day}T12:00:00Z`)
  const first = await make.message({
    channelId,
    userId: author.userId,
    data: { text: `${rare} quay gate` },
    createdAt: at('2026-02-01'),
  })
  const second = await make.message({
    channelId,
    data: { text: `gate ${rare} quay` },
    createdAt: at('2026-02-02'),
    tags: ['sale'],
  })
  const third = await make.message({
    channelId: other.channelId,
    data: { text: `${rare} elsewhere` },
    createdAt: at('2026-02-03'),
    type: 'image',
  })
  const ctx = as(await staff())
  expect(await idsOf(ctx, { query: rare })).toEqual([third, second, first].map(({ messageId }) => messageId))
  expect(await idsOf(ctx, { query: `${rare} quay gate`, isExact: true })).toEqual([first.messageId])
  expect(await idsOf(ctx, { query: rare, channelId })).toEqual([second.messageId, first.messageId])
  expect(await idsOf(ctx, { query: rare, userIds: [author.userId] })).toEqual([first.messageId])
  expect(await idsOf(ctx, { query: rare, types: ['image'] })).toEqual([third.messageId])
  expect(await idsOf(ctx, { query: rare, tags: ['sale'] })).toEqual([second.messageId])
  expect(await idsOf(ctx, { query: rare, startDate: '2026-02-02', endDate: '2026-02-02' })).toEqual([second.messageId])
  const dayOfKathmandu = { startDate: '2026-02-02', timeZone: 'Pacific/Kiritimati' }
  expect(await idsOf(ctx, { query: rare, ...dayOfKathmandu })).toEqual(
    [third, second, first].map(({ messageId }) => messageId),
  )
  expect(await idsOf(ctx, { channelId, startDate: '2026-02-02' })).toEqual([second.messageId])
  expect(await search(ctx, {}).catch(failureOf)).toBe('INVALID_PARAMETERS')
})

test('a result has the part of a long message that was found, and the message among its neighbours all of it', async () => {
  const rare = word()
  const text = `${'The ferry runs again. '.repeat(800)}${rare} at the end`
  const { messageId } = await make.message({ channelId: (await make.channel()).channelId, data: { text } })
  const ctx = as(await staff())
  const [hit] = (await search(ctx, { query: rare })).messages
  expect(hit?.text).toMatch(new RegExp(`^… .{0,40}${rare} at the end$`))
  const around = await readMessageAround(ctx, { messageId, span: 2 })
  expect(around.message.text).toBe(text)
})

test('shows a message among its neighbours, and a deleted one in its position without its text', async () => {
  const { channelId } = await make.channel()
  const said = []
  for (let minute = 0; minute < 7; minute += 1) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 12, minute))
    said.push(await make.message({ channelId, createdAt, data: { text: `line ${minute}` }, isDeleted: minute === 2 }))
  }
  const around = await readMessageAround(as(await staff()), { messageId: said[3]?.messageId ?? '', span: 2 })
  expect(around.before.map(({ text, isDeleted }) => [text, isDeleted])).toEqual([
    ['line 1', false],
    ['', true],
  ])
  expect(around.after.map(({ text }) => text)).toEqual(['line 4', 'line 5'])
  expect([around.hasMoreBefore, around.hasMoreAfter]).toEqual([true, true])
})

test('opens a conversation only with the permission and a reason, which are logged; then it can be read for half an hour', async () => {
  const rare = word()
  const { channelId } = await make.channel({ type: 'conversation' })
  const member = await make.channelUser({ channelId })
  const message = await make.message({ channelId, userId: member.userId, data: { text: `${rare} in private` } })
  const clock = clockAt('2026-05-01T10:00:00Z')
  const ctx = as(await staff(), { now: clock.now })
  const moderator = as(await staff(['VIEW_CHANNELS', 'VIEW_USERS', 'MANAGE_POST_AND_COMMENT']))

  expect(await idsOf(ctx, { query: rare })).toEqual([])
  expect(await idsOf(as(asUser(member.userId)), { query: rare })).toEqual([])
  for (const reads of [ctx, moderator, as(asUser(member.userId))]) {
    expect(await search(reads, { channelId }).catch(failureOf)).toBe('FORBIDDEN')
    expect(await readMessageAround(reads, { messageId: message.messageId, span: 2 }).catch(failureOf)).toBe('FORBIDDEN')
  }
  expect(await openConversation(moderator, { channelId, reason: 'Curious' }).catch(failureOf)).toBe('FORBIDDEN')

  await openConversation(ctx, { channelId, reason: 'Case 71' })
  const [audit] = await prisma.audit.findMany({ where: { subjectId: channelId, action: 'channel.opened' } })
  const words = await prisma.auditText.findMany({ where: { auditId: audit?.auditId ?? 0n } })
  expect(words.map(({ text }) => text)).toEqual(['Case 71'])
  expect(await idsOf(ctx, { channelId })).toEqual([message.messageId])
  expect(await idsOf(ctx, { channelId, query: 'private' })).toEqual([message.messageId])
  expect(await idsOf(ctx, { channelId, query: 'public' })).toEqual([])
  const colleague = as(await staff(), { now: clock.now })
  expect(await search(colleague, { channelId }).catch(failureOf)).toBe('FORBIDDEN')

  clock.advance(31 * 60_000)
  expect(await search(ctx, { channelId }).catch(failureOf)).toBe('FORBIDDEN')
})

test('restores a deleted message until its event is published, and not after', async () => {
  const { channelId } = await make.channel()
  const { userId } = await make.moderatorOf(channelId)
  const message = await make.message({ channelId })
  const clock = clockAt('2026-05-01T10:00:00Z')
  const ctx = as(asUser(userId), { now: clock.now })
  const isDeleted = async () =>
    (await prisma.message.findUniqueOrThrow({ where: { messageId: message.messageId } })).isDeleted
  const events = () => prisma.event.findMany({ where: { subjectId: message.messageId, isDeskOnly: false } })

  await removeMessage(ctx, message)
  expect(await isDeleted()).toBe(true)
  expect((await events()).map(({ state }) => state)).toEqual(['held'])
  clock.advance(9_999)
  await restoreRemovedMessage(ctx, message)
  expect(await isDeleted()).toBe(false)
  expect((await events()).map(({ state }) => state)).toEqual(['cancelled'])

  await removeMessage(ctx, message)
  clock.advance(10_001)
  expect(await restoreRemovedMessage(ctx, message).catch(failureOf)).toBe('CHANGED')
  expect(await isDeleted()).toBe(true)
})

test('support may read messages, is offered no action, and every action is rejected', async () => {
  const { channelId } = await make.channel()
  const message = await make.message({ channelId, flagCount: 1 })
  const ctx = as(await staff(['VIEW_CHANNELS', 'VIEW_USERS', 'VIEW_HISTORY']))
  const { messages } = await search(ctx, { channelId })
  expect(messages.map(({ may }) => Object.values(may))).toEqual([[false, false, false, false]])
  expect(await removeMessage(ctx, message).catch(failureOf)).toBe('FORBIDDEN')
  expect(await restoreRemovedMessage(ctx, message).catch(failureOf)).toBe('FORBIDDEN')
})
