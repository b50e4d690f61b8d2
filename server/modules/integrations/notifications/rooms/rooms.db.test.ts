import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import {
  fillNotifications,
  lookForNotifications,
} from '#server/modules/integrations/notifications/fill-notifications.ts'
import { forgetPosts } from '#server/modules/integrations/notifications/forget-notifications.ts'
import { addRoom, changeRoom, removeRoom } from '#server/modules/integrations/notifications/rooms/change-rooms.ts'
import { listRooms } from '#server/modules/integrations/notifications/rooms/list-rooms.ts'
import { NewRoom, ROOMS_LIMIT, RoomChange } from '#server/modules/integrations/notifications/rooms/schema.ts'
import { createRoomsTask } from '#server/modules/integrations/notifications/rooms/send-due-posts.ts'
import { testRoom } from '#server/modules/integrations/notifications/rooms/test-room.ts'
import { sequenceEvents } from '#server/modules/ledger/events/release-events.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'
import { asAdmin, asUser, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testNotifications as parts } from '#server/testing/notifications.ts'
import { openPushStub } from '#server/testing/push-stub.ts'

const { database, prisma, make } = await testDatabase()
const SECRET_PATH = '/services/T0/B0/very-secret'
const ALL = ['escalated', 'reports', 'overdue', 'rules', 'webhooks'] as const

beforeEach(async () => {
  await prisma.chatRoom.deleteMany()
  await prisma.notificationSettings.update({ where: { id: 1 }, data: { includesText: false } })
})

/** A chat on loopback, an admin, and two communities, at a time that the test sets. */
async function scene() {
  const chat = await openPushStub()
  onTestFinished(chat.close)
  const clock = clockAt(new Date().toISOString())
  const system: Ctx = { ...systemCtx(database), now: clock.now }
  const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']), { now: clock.now })
  const [here, elsewhere] = [
    await make.community({ displayName: 'Harbour' }),
    await make.community({ displayName: 'Station' }),
  ]
  const task = createRoomsTask(parts)
  const fill = async () => {
    await inTransaction(system, sequenceEvents)
    while (await fillNotifications(system));
  }
  // What happened in other tests.
  await fill()
  const room = (over: object = {}) =>
    addRoom(
      admin,
      NewRoom.parse({ name: 'Team', format: 'slack', address: `${chat.url}${SECRET_PATH}`, topics: ALL, ...over }),
      parts,
    )
  return {
    ...{ chat, clock, system, admin, here: here.communityId, elsewhere: elsewhere.communityId, room, fill },
    escalated: async (communityId: string, text = 'Meet me') => {
      const { commentId } = await make.heldComment({ communityId, data: { text } })
      const subject = { subjectType: 'comment' as const, subjectId: commentId }
      await escalate(ctxOf(database, await make.reviewerOf(communityId)), { ...subject, note: 'A threat?' })
      return subject
    },
    send: async (by = task) => {
      while (await by(system));
    },
    newTask: () => createRoomsTask(parts),
    /** What was posted: the text of each post. */
    posts: (): string[] => chat.received.map(({ body }) => JSON.parse(body.toString()).text),
  }
}

const statesOf = async (roomId: string) =>
  (await prisma.chatPost.findMany({ where: { roomId }, orderBy: { postId: 'asc' } })).map(({ state }) => state)

test('a room gets what happens in its community and nothing else, once, with a link to exactly that and no text', async () => {
  const desk = await scene()
  const ofHere = await desk.room({ communityId: desk.here, topics: ['escalated', 'rules', 'overdue'] })
  const item = await desk.escalated(desk.here, 'A secret text')
  await desk.escalated(desk.elsewhere)
  await desk.fill()
  await desk.fill()
  await Promise.all([desk.send(), desk.send(desk.newTask())])

  expect(desk.posts()).toEqual([
    expect.stringMatching(
      new RegExp(
        `^• <https://desk\\.example/queue\\?view=escalated&amp;item=comment%3A${item.subjectId}\\|[^>]*Harbour[^>]*>$`,
      ),
    ),
  ])
  expect(desk.chat.received[0]?.path).toBe(SECRET_PATH)
  expect(await statesOf(ofHere.roomId)).toEqual(['sent'])

  await prisma.notificationSettings.update({ where: { id: 1 }, data: { includesText: true } })
  await desk.escalated(desk.here, 'Meet @everyone')
  await desk.fill()
  await desk.send()
  expect(desk.posts()[1]).toContain('Meet @\u200beveryone')
})

test('a room of the network hears of every topic, each once', async () => {
  const desk = await scene()
  const { roomId } = await desk.room({ reportsFrom: 1 })
  await desk.escalated(desk.elsewhere)
  const published = await make.heldComment({ communityId: desk.here, approvalStatus: null })
  const { userId } = await make.user()
  const report = { id: published.commentId, flag: { reason: 'Spam or scams' } }
  await flag(ctxOf(database, asUser(userId)), flaggableComment, report)
  const { ruleId } = await prisma.rule.create({
    data: {
      name: 'Links',
      ownerId: 'o',
      communityId: desk.here,
      state: 'shadow',
      version: 1,
      position: 1,
      createdAt: new Date(),
      updatedAt: new Date(),
    },
  })
  await inTransaction(desk.system, (ctx) =>
    recordRule(
      ctx,
      { ruleId, communityId: desk.here },
      { action: 'rule.overturned', after: { decided: 20, approved: 19 } },
    ),
  )
  await prisma.serviceTarget.create({
    data: { communityId: desk.here, withinMinutes: 30, sharePercent: 90, updatedAt: new Date() },
  })
  await make.heldComment({
    communityId: desk.here,
    queuedAt: new Date(desk.clock.now().getTime() - 30 * 60_000 - 1_000),
  })
  await prisma.webhookEndpoint.create({
    data: { url: 'https://hook.example/x', secret: Buffer.from('s'), failingSince: new Date(Date.now() - 3_600_000) },
  })
  for (let look = 0; look < 2; look += 1) {
    await desk.fill()
    await lookForNotifications(desk.system)
  }
  await desk.send()
  const [text = '', ...more] = desk.posts()
  expect(more).toEqual([])
  expect(
    text
      .split('\n')
      .map((line) => line.replaceAll('\u200b', '').replace(/^• <[^|]*\|(.*)>$/, '$1'))
      .sort(),
  ).toEqual([
    expect.stringMatching(/^An item in Station was escalated/),
    'Overdue items in Harbour: 1',
    'Reports on an item in Harbour: 1',
    'The rule “Links” went back to shadow',
    'Webhook deliveries to hook.example are failing',
  ])
  expect(await statesOf(roomId)).toEqual(['sent', 'sent', 'sent', 'sent', 'sent'])
})

test('what was decided, or has left the room’s scope, before it is posted isn’t posted', async () => {
  const desk = await scene()
  const { roomId, version } = await desk.room({ topics: ['escalated'] })
  const item = await desk.escalated(desk.here)
  await desk.escalated(desk.elsewhere)
  await desk.fill()
  await decide(ctxOf(database, await make.reviewerOf(desk.here)), { ...item, outcome: 'approved' })
  const { here: communityId } = desk
  const change = { roomId, version, name: 'Team', format: 'slack', topics: ['escalated'], communityId }
  await changeRoom(desk.admin, RoomChange.parse(change), parts)
  await desk.send()
  expect(desk.chat.received).toEqual([])
  expect(await statesOf(roomId)).toEqual(['dropped', 'dropped'])
})

test('a chat that fails is tried again later and later, without holding up another room, and says so in the settings', async () => {
  const desk = await scene()
  const { roomId } = await desk.room({ topics: ['escalated'] })
  await desk.room({ name: 'Other', address: `${desk.chat.url}/other`, topics: ['escalated'] })
  desk.chat.answerWith((path) => (path === '/other' ? 200 : 503))
  await desk.escalated(desk.here)
  await desk.fill()
  await desk.send()
  await desk.send()
  const tries = () => desk.chat.received.filter(({ path }) => path === SECRET_PATH).length
  expect([tries(), desk.chat.received.length]).toEqual([1, 2])
  for (const [minutes, expected] of [
    [1, 2],
    [4, 2],
    [1, 3],
  ] as const) {
    desk.clock.advance(minutes * 60_000)
    await desk.send()
    expect(tries()).toBe(expected)
  }
  const failing = async () => (await listRooms(desk.admin)).find((room) => room.roomId === roomId)
  expect(await failing()).toMatchObject({ waiting: 1, lastFailure: { problem: 'status', status: 503 } })

  desk.chat.answerWith(() => 204)
  desk.clock.advance(30 * 60_000)
  await desk.send()
  expect(await statesOf(roomId)).toEqual(['sent'])
  expect(await failing()).not.toHaveProperty('lastFailure')
  desk.clock.advance(31 * 24 * 3_600_000)
  await forgetPosts(desk.system)
  expect(await statesOf(roomId)).toEqual([])
})

test('what a process took and didn’t post, because it died, is posted by another, and is given up after two days', async () => {
  const desk = await scene()
  const { roomId } = await desk.room({ topics: ['escalated'] })
  await desk.escalated(desk.here)
  await desk.fill()
  // As a process does that takes it.
  const dueAt = new Date(desk.clock.now().getTime() + 60_000)
  await prisma.chatPost.updateMany({ where: { roomId }, data: { dueAt } })
  await desk.send()
  expect(desk.chat.received).toEqual([])
  desk.clock.advance(61_000)
  await desk.send()
  expect(await statesOf(roomId)).toEqual(['sent'])

  desk.chat.answerWith(() => 500)
  await desk.escalated(desk.here)
  await desk.fill()
  desk.clock.advance(49 * 3_600_000)
  await desk.send()
  expect(await statesOf(roomId)).toEqual(['sent', 'failed'])
})

test('the address is stored sealed and is in no answer, log row or export; a change without one keeps it', async () => {
  const desk = await scene()
  const added = await desk.room()
  const { roomId, version } = added
  const fields = { name: 'Renamed', format: 'discord', topics: ['reports'] }
  const changed = await changeRoom(desk.admin, RoomChange.parse({ ...fields, roomId, version }), parts)
  expect(await testRoom(desk.admin, { roomId }, parts)).toMatchObject({ status: 201 })
  expect(JSON.parse(desk.chat.received[0]?.body.toString() ?? '')).toMatchObject({
    content: expect.stringContaining('notifications can be posted to this room'),
    allowed_mentions: { parse: [] },
  })
  expect(await testRoom(desk.admin, { roomId }, { ...parts, key: Buffer.alloc(32) })).toMatchObject({
    problem: 'secret',
  })
  await removeRoom(desk.admin, { roomId, version: changed.version })
  const stored = await prisma.chatRoom.findUniqueOrThrow({ where: { roomId } })
  expect(stored.address).toHaveLength(0)
  const logged = await prisma.audit.findMany({ where: { subjectType: 'chatRoom', subjectId: roomId } })
  expect(logged.map(({ action }) => action)).toEqual([
    'notifications.roomAdded',
    'notifications.roomChanged',
    'notifications.roomRemoved',
  ])
  const written = JSON.stringify([added, changed, logged.map(({ after }) => after), await listRooms(desk.admin)])
  expect(written).not.toContain('very-secret')
})

test('is for admins of credentials; of two changes one wins; a wrong address, scope or one room too many is an error', async () => {
  const desk = await scene()
  const { roomId, version } = await desk.room()
  const other = ctxOf(database, asAdmin(['MANAGE_NETWORK_SETTINGS']))
  const input = { roomId, version }
  const change = RoomChange.parse({ ...input, name: 'N', format: 'slack', topics: ['reports'] })
  const acts: (() => Promise<unknown>)[] = [
    () => listRooms(other),
    () => changeRoom(other, change, parts),
    () => removeRoom(other, input),
    () => testRoom(other, { roomId }, parts),
  ]
  for (const act of acts) expect(await Promise.resolve().then(act).catch(failureOf)).toBe('FORBIDDEN')
  const twice = [0, 1].map(() => changeRoom(desk.admin, change, parts).catch(failureOf))
  expect((await Promise.all(twice)).filter((result) => result === 'CHANGED')).toHaveLength(1)
  expect(await removeRoom(desk.admin, { roomId: 'none', version: 1 }).catch(failureOf)).toBe('NOT_FOUND')

  const outside = { ...parts, allowsLoopback: false }
  for (const address of [
    'http://chat.example/x',
    'https://10.0.0.1/x',
    'https://u:p@chat.example/x',
    'http://127.0.0.1/x',
  ]) {
    const room = NewRoom.parse({ name: 'N', format: 'slack', topics: ['reports'], address })
    expect(
      await Promise.resolve()
        .then(() => addRoom(desk.admin, room, outside))
        .catch(failureOf),
    ).toBe('INVALID_PARAMETERS')
  }
  expect(await desk.room({ communityId: 'unknown', topics: ['reports'] }).catch(failureOf)).toBe('NOT_FOUND')
  const ofCommunity = { name: 'N', format: 'slack', address: 'https://chat.example', communityId: desk.here }
  expect(NewRoom.safeParse({ ...ofCommunity, topics: ['webhooks'] }).success).toBe(false)
  for (let count = 1; count < ROOMS_LIMIT; count += 1) await desk.room()
  expect(await desk.room().catch(failureOf)).toBe('INVALID_PARAMETERS')
})

test('an address whose name leads to a private network is never connected to', async () => {
  const desk = await scene()
  const { roomId } = await desk.room({ topics: ['escalated'] })
  await desk.escalated(desk.here)
  await desk.fill()
  const outside = { allowsLoopback: false, resolve: async () => [{ address: '127.0.0.1', family: 4 }] }
  await desk.send(createRoomsTask(parts, outside))
  expect(desk.chat.received).toEqual([])
  expect((await listRooms(desk.admin)).find((room) => room.roomId === roomId)).toMatchObject({
    lastFailure: { problem: 'address' },
  })
})
