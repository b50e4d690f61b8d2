import { expect, test } from 'vitest'
import { createMessage } from '#server/modules/content/messages/create-message.ts'
import { NewMessage } from '#server/modules/content/messages/schema.ts'
import { restoreRejected } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { readRuleRecord } from '#server/modules/review/rule-records/read-record.ts'
import { RuleRecordInput } from '#server/modules/review/rule-records/schema.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule, type RuleState } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()

const FERRY = { kind: 'words', words: ['ferry'] }

/** The channel of a community, somebody who writes there, and somebody who deletes messages there and manages the community's rules. */
async function scene({
  type = 'community' as const,
  isOwned = true,
}: {
  type?: 'community' | 'conversation'
  isOwned?: boolean
} = {}) {
  const { channelId, internalId } = await make.channel({ type })
  const { communityId } = await make.community(isOwned ? { channelId } : {})
  const { userId: moderatorId } = await make.moderatorOf(channelId)
  await make.member({ communityId, userId: moderatorId, roles: ['community-moderator'] })
  const { userId } = await make.channelUser({ channelId })
  const moderator = ctxOf(database, asUser(moderatorId))
  const write = async (text: string, { by = userId, ...over }: { by?: string; parentId?: string } = {}) => {
    const input = NewMessage.parse({ messageFeedId: internalId, data: { text }, ...over })
    const { messages } = await createMessage(ctxOf(database, asUser(by), { source: 'rest' }), input)
    const [answered] = messages
    if (answered === undefined) throw new Error('no message was answered')
    return answered
  }
  const running = async (
    action: string,
    { state = 'live' as RuleState, condition = FERRY as unknown, kinds = ['message'], ctx = moderator } = {},
  ) => {
    const space = ctx === moderator ? communityId : null
    const input = {
      communityId: space,
      name: 'Ferries',
      kinds,
      condition,
      action: { type: action },
    }
    return setRuleState(ctx, { ...(await createRule(ctx, NewRule.parse(input))), state })
  }
  const channel = () => prisma.channel.findUniqueOrThrow({ where: { channelId } })
  return { channelId, communityId, moderator, moderatorId, userId, write, running, channel }
}

const storedOf = (messageId: string) => prisma.message.findUniqueOrThrow({ where: { messageId } })
const matchesOf = (subjectId: string) => prisma.ruleMatch.findMany({ where: { subjectId } })
const eventsOf = (subjectId: string) => prisma.event.findMany({ where: { subjectId }, orderBy: { eventId: 'asc' } })
const actsOf = (subjectId: string) => prisma.audit.findMany({ where: { subjectId }, orderBy: { auditId: 'asc' } })

async function messagesCounted(channelId: string): Promise<number> {
  const where = { kind: 'channel_messages' as const, subjectId: channelId }
  const { _sum } = await prisma.tallyDelta.aggregate({ where, _sum: { delta: true } })
  return _sum.delta ?? 0
}

test('a live rule reports a message of the community’s channel with its name as the reason', async () => {
  const { moderator, write, running } = await scene()
  const { ruleId } = await running('flag')
  const { messageId, flagCount } = await write('The ferry runs')
  expect(flagCount).toBe(1)
  expect(await storedOf(messageId)).toMatchObject({ isDeleted: false, flagCount: 1 })
  const rules = [{ ruleId, version: 1 }]
  expect(await actsOf(messageId)).toMatchObject([
    { action: 'message.created' },
    { action: 'message.flagged', actorId: 'rules', after: { rules } },
  ])
  expect((await eventsOf(messageId)).map(({ name }) => name)).toEqual([
    'v5.message.didCreate',
    'message.didFlag',
    'desk.message.didMatch',
  ])
  const { items } = await listDeskQueue(moderator, DeskQueueInput.parse({ view: 'reported', kind: 'message' }))
  expect(items).toMatchObject([{ subjectId: messageId, reasons: ['Ferries'] }])
  const { item } = await readItem(moderator, { subjectType: 'message', subjectId: messageId, isReported: true })
  expect(item.reviewReasons).toMatchObject([{ ruleId, version: 1, found: [{ field: 'text', from: 4, to: 9 }] }])
})

test('a live rule deletes the message it rejects in the transaction that writes it', async () => {
  const { channelId, write, running, channel } = await scene()
  const parent = await write('Hello')
  const { ruleId } = await running('reject')
  const before = await channel()
  const { messageId, isDeleted, data } = await write('The ferry runs', { parentId: parent.messageId })
  expect({ isDeleted, data }).toEqual({ isDeleted: true, data: undefined })
  expect(await storedOf(messageId)).toMatchObject({ isDeleted: true, data: { text: 'The ferry runs' } })
  expect(await storedOf(parent.messageId)).toMatchObject({ childrenNumber: 0 })
  expect(await channel()).toEqual(before)
  expect(await messagesCounted(channelId)).toBe(1)
  expect(await matchesOf(messageId)).toMatchObject([{ ruleId, version: 1, isLive: true }])
  const events = await eventsOf(messageId)
  expect(events.map(({ name }) => name)).toEqual(['desk.message.didMatch', 'v5.message.didDelete'])
  expect(JSON.stringify(events.map(({ payload }) => payload))).not.toContain('ferry')
  expect(await actsOf(messageId)).toMatchObject([
    { action: 'message.created' },
    { action: 'message.rejected', actorId: 'rules', after: { rules: [{ ruleId, version: 1 }] } },
  ])
})

test('a moderator of the channel restores a rejected message, once, and can undo it', async () => {
  const { channelId, moderator, moderatorId, write, running, channel } = await scene()
  const { ruleId } = await running('reject')
  const { messageId } = await write('The ferry runs')
  const subject = { subjectType: 'message', subjectId: messageId } as const
  const rejected = await readItem(moderator, subject)
  expect(rejected).toMatchObject({
    item: { text: 'The ferry runs', reviewReasons: [{ ruleId }], allowed: [] },
    isWaiting: false,
    decided: { outcome: 'rejected', decidedByName: 'Ferries', isByRules: true, isRestorable: true },
  })
  const { userId: otherId } = await make.moderatorOf(channelId)
  const other = ctxOf(database, asUser(otherId))
  const { version } = rejected.item
  const restoring = [moderator, other].map((ctx) => restoreRejected(ctx, { ...subject, version }))
  const results = await Promise.allSettled(restoring)
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CHANGED' } })
  expect(await storedOf(messageId)).toMatchObject({ isDeleted: false })
  expect(await channel()).toMatchObject({ messagePreviewId: messageId })
  expect(await messagesCounted(channelId)).toBe(1)
  expect((await eventsOf(messageId)).at(-1)).toMatchObject({
    name: 'v5.message.didCreate',
    state: 'held',
    payload: { messages: [{ messageId, reviewReasons: [{ ruleId }] }] },
  })
  const record = await readRuleRecord(moderator, RuleRecordInput.parse({ ruleId }))
  expect(record).toMatchObject({
    counts: { live: { items: 1, approved: 1 } },
    items: [{ subjectType: 'message', outcome: 'approved', content: { text: 'The ferry runs' } }],
  })

  const [won] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const winner = (await prisma.decision.findFirst({ where: { subjectId: messageId } }))?.decidedBy
  await undoDecision(winner === moderatorId ? moderator : other, { decisionId: won?.decisionId ?? '' })
  expect(await storedOf(messageId)).toMatchObject({ isDeleted: true })
  expect(await messagesCounted(channelId)).toBe(0)
  expect((await readItem(moderator, subject)).decided).toMatchObject({ isByRules: true })
  expect(await prisma.event.count({ where: { subjectId: messageId, state: 'held' } })).toBe(0)
})

test('a message that people deleted, or that isn’t the caller’s to moderate, can’t be restored', async () => {
  const { moderator, write, running, userId } = await scene()
  const { messageId: plain } = await write('The tram runs')
  await running('reject')
  const { messageId } = await write('The ferry runs')
  const restore = (ctx: typeof moderator, subjectId: string, version = 1) =>
    restoreRejected(ctx, { subjectType: 'message', subjectId, version })
  await prisma.message.update({ where: { messageId: plain }, data: { isDeleted: true } })
  await expect(restore(moderator, plain)).rejects.toMatchObject({ code: 'CHANGED' })
  await expect(restore(moderator, messageId, 2)).rejects.toMatchObject({ code: 'CHANGED' })
  const stranger = await scene()
  for (const ctx of [stranger.moderator, ctxOf(database, asUser(userId))])
    await expect(restore(ctx, messageId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('rules of the network judge messages of every channel, but never those of conversations', async () => {
  const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT', 'DELETE_MESSAGE']))
  const [room, talk] = [await scene({ isOwned: false }), await scene({ type: 'conversation' })]
  const rule = await room.running('reject', { ctx: admin })
  await talk.running('reject')
  const [inRoom, inTalk] = [await room.write('The ferry runs'), await talk.write('The ferry runs')]
  await setRuleState(admin, { ...rule, state: 'paused' })
  expect(inRoom.isDeleted).toBe(true)
  expect(inTalk.isDeleted).toBe(false)
  expect(await matchesOf(inTalk.messageId)).toEqual([])
  expect((await room.write('The ferry runs')).isDeleted).toBe(false)
})

test('a community’s rules judge its own channel only, and nothing that those write who may delete messages there', async () => {
  const [room, other] = [await scene(), await scene()]
  await room.running('reject')
  expect((await room.write('The ferry runs')).isDeleted).toBe(true)
  expect((await room.write('The ferry runs', { by: room.moderatorId })).isDeleted).toBe(false)
  expect((await other.write('The ferry runs')).isDeleted).toBe(false)
})

test('a rule in shadow records a message and leaves it, and one that highlights is shown with a report of it', async () => {
  const { moderator, write, running } = await scene()
  const { ruleId } = await running('reject', { state: 'shadow' })
  const { ruleId: lighting } = await running('highlight')
  await running('flag', { condition: { kind: 'words', words: ['late'] } })
  const { messageId, isDeleted } = await write('The ferry is late')
  expect(isDeleted).toBe(false)
  expect(await matchesOf(messageId)).toHaveLength(3)
  expect((await matchesOf(messageId)).find((match) => match.ruleId === ruleId)).toMatchObject({ isLive: false })
  const { item } = await readItem(moderator, { subjectType: 'message', subjectId: messageId, isReported: true })
  expect(item.highlights).toMatchObject([{ ruleId: lighting }])
})

test('rules know how often somebody writes messages, and what happened to them in the channel', async () => {
  const { write, running } = await scene()
  const often = { kind: 'rate', by: 'author', moreThan: 2, withinMinutes: 10 }
  await running('reject', { condition: often })
  const texts = ['One', 'Two', 'Three', 'Four']
  const deleted: boolean[] = []
  for (const text of texts) deleted.push((await write(text)).isDeleted)
  expect(deleted).toEqual([false, false, true, true])

  const fresh = await scene()
  await fresh.running('reject', { condition: { kind: 'contributions', fewerThan: 1 } })
  expect((await fresh.write('First')).isDeleted).toBe(true)
  expect((await fresh.write('Second')).isDeleted).toBe(false)
})

test('a rule that judges messages neither holds them nor waits for scores', async () => {
  const { communityId, moderator } = await scene()
  const rule = (over: object) =>
    createRule(
      moderator,
      NewRule.parse({ communityId, name: 'Rule', kinds: ['comment', 'message'], condition: FERRY, ...over }),
    )
  for (const over of [{}, { action: { type: 'flag' }, condition: { kind: 'signal', name: 'toxicity', atLeast: 0.9 } }])
    await expect(rule(over)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  const { ruleId, revision } = await rule({ action: { type: 'flag' } })
  await expect(
    changeRule(moderator, { ruleId, revision, action: { type: 'hold', severity: 'medium' } }),
  ).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
})

test('only those who may delete messages in the channel make a rule live that rejects them; anybody who manages it reports', async () => {
  const { channelId, communityId, running } = await scene()
  const { userId } = await make.reviewerOf(communityId).then((actor) => ('userId' in actor ? actor : { userId: '' }))
  expect(await prisma.channelUser.count({ where: { channelId, userId } })).toBe(0)
  const manager = ctxOf(database, asUser(userId))
  const ruleThat = (type: string) =>
    createRule(
      manager,
      NewRule.parse({ communityId, name: 'Rule', kinds: ['message'], condition: FERRY, action: { type } }),
    )
  const [rejecting, flagging] = [await ruleThat('reject'), await ruleThat('flag')]
  expect([rejecting.mayMakeLive, flagging.mayMakeLive, flagging.mayTest]).toEqual([false, true, false])
  await expect(setRuleState(manager, { ...rejecting, state: 'live' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await setRuleState(manager, { ...flagging, state: 'live' })
  await running('reject')
})
