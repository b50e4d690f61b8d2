import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { createLogger } from '#server/core/log.ts'
import { keyFor } from '#server/core/secret.ts'
import { rowsSetAside } from '#server/core/set-aside.ts'
import { judgeImported } from '#server/modules/content/imported/judge-imported.ts'
import { numberPending } from '#server/modules/content/messages/number-messages.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { createMailTask } from '#server/modules/integrations/notifications/mail/send-due-mail.ts'
import { createPushTask } from '#server/modules/integrations/notifications/push/send-due-push.ts'
import { createRoomsTask } from '#server/modules/integrations/notifications/rooms/send-due-posts.ts'
import type { NotificationChannel } from '#server/modules/integrations/notifications/schema.ts'
import type { DeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { enqueueDeliveries } from '#server/modules/integrations/webhooks/enqueue-deliveries.ts'
import { switchOffFailingEndpoints } from '#server/modules/integrations/webhooks/maintain-endpoints.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { issueStatements } from '#server/modules/network/statements/issue-statements.ts'
import { eraseBatch } from '#server/modules/people/erase-batch.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { storeRejectedBands } from '#server/modules/review/rejected/store-rejected-bands.ts'
import { type Looked, returnToShadow } from '#server/modules/review/rule-records/return-to-shadow.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { liftEndedBans } from '#server/modules/spaces/sanctions/lift-ended-bans.ts'
import { liftEndedMutes } from '#server/modules/spaces/sanctions/lift-ended-mutes.ts'
import { ctxOf, systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testNotifications } from '#server/testing/notifications.ts'
import { sequenceBatch } from '#server/worker/sequencer.ts'
import '#server/worker/worker.ts'

const { database, prisma, pool, make } = await testDatabase()
const key = keyFor(TEST_SECRET, 'audit')
const HOUR_MS = 3_600_000
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

interface Rows {
  /** What the task writes, and the column with the ids of its rows. */
  table: string
  column: string
  /** Ids of two rows, the first of which is worked first. */
  create(): Promise<[string, string]>
  /** Works on all that is there. */
  work(ctx: Ctx): Promise<unknown>
  isWorked(id: string): Promise<boolean>
}

const whileMore = (batch: (ctx: Ctx) => Promise<boolean | number>) => async (ctx: Ctx) => {
  while (await batch(ctx));
}

async function two(create: (index: number) => Promise<string>): Promise<[string, string]> {
  return [await create(0), await create(1)]
}

const commentId = async (over: object = {}) => (await make.heldComment(over)).commentId
let since: Looked | undefined

/** Takes what is added, in that order. */
function createQueue() {
  const added: string[] = []
  const nothing = async () => {}
  const add: DeliveryQueue['add'] = async (_, deliveries) => {
    added.push(...deliveries.map(({ deliveryId }) => deliveryId))
  }
  const queue: DeliveryQueue = {
    add,
    tryAgain: nothing,
    remove: nothing,
    putBack: async () => new Map(),
    take: async () => [],
    hasUnfinished: async () => false,
    supervise: async () => {},
    release: nothing,
    hold: nothing,
    close: nothing,
  }
  return { added, queue }
}

let eventSeq = 0n

/** A delivery that isn't queued, of an event about this subject. */
async function deliveryOf(endpointId: string, subjectId: string): Promise<string> {
  eventSeq += 1n
  const deliveryId = `${eventSeq.toString(16).padStart(8, '0')}-0000-4000-8000-${randomBytes(6).toString('hex')}`
  const event = { eventSeq, eventName: 'comment.created', subjectType: 'comment', subjectId }
  await prisma.delivery.create({ data: { deliveryId, endpointId, createdAt: new Date(), ...event } })
  return deliveryId
}

async function endpointIdOf(): Promise<string> {
  const data = { url: 'https://example.com/hook', secret: randomBytes(32) }
  return (await prisma.webhookEndpoint.create({ data })).endpointId
}

/** An event about this subject, without a number. */
async function eventOn(subjectId: string): Promise<string> {
  const about = { subjectType: 'comment', subjectId, payload: {} }
  return (await recordEvent(systemCtx(database), { name: 'v3.comment.didUpdate', ...about })).eventId
}

const numberOf = async (eventId: string) =>
  (await prisma.event.findUniqueOrThrow({ where: { eventId: BigInt(eventId) } })).seq

const TASKS: Record<string, Rows> = {
  events: {
    table: 'event',
    column: 'event_id',
    create: () => two(() => eventOn(randomUUID())),
    work: whileMore((ctx) => sequenceBatch(ctx, key)),
    isWorked: async (eventId) => (await numberOf(eventId)) !== null,
  },
  bans: {
    table: 'ban',
    column: 'user_id',
    create: () =>
      two(async (index) => {
        const { userId } = await make.user()
        await prisma.user.update({ where: { userId }, data: { isGlobalBan: true } })
        await prisma.ban.create({ data: { scope: 'network', userId, endsAt: hoursAgo(2 - index) } })
        return userId
      }),
    work: whileMore(liftEndedBans),
    isWorked: async (userId) => !(await prisma.user.findUniqueOrThrow({ where: { userId } })).isGlobalBan,
  },
  mutes: {
    table: 'channel_user',
    column: 'user_id',
    create: async () => {
      const { channelId } = await make.channel()
      return two(async (index) => {
        const { userId } = await make.channelUser({ channelId, muteTimeout: hoursAgo(2 - index) })
        return userId
      })
    },
    work: whileMore(liftEndedMutes),
    isWorked: async (userId) => (await prisma.channelUser.findFirstOrThrow({ where: { userId } })).muteTimeout === null,
  },
  erasing: {
    table: 'erasure',
    column: 'user_id',
    create: () =>
      two(async (index) => {
        const { userId } = await make.user()
        const at = hoursAgo(2 - index)
        await prisma.erasure.create({ data: { userId, requestedBy: 'someone', requestedAt: at, workedAt: at } })
        return userId
      }),
    work: whileMore(eraseBatch),
    isWorked: async (userId) => (await prisma.erasure.findUniqueOrThrow({ where: { userId } })).finishedAt !== null,
  },
  'queueing deliveries': {
    table: 'delivery',
    column: 'delivery_id',
    create: async () => {
      const endpointId = await endpointIdOf()
      return two(() => deliveryOf(endpointId, randomUUID()))
    },
    work: whileMore((ctx) => enqueueDeliveries(ctx, createQueue().queue)),
    isWorked: async (deliveryId) =>
      (await prisma.delivery.findUniqueOrThrow({ where: { deliveryId } })).queuedAt !== null,
  },
  numbering: {
    table: 'message_numbering',
    column: 'channel_id',
    create: async () => {
      const [first, second] = (await two(async () => (await make.channel()).channelId)).sort()
      for (const channelId of [first, second])
        await prisma.messageNumbering.create({
          data: { channelId: channelId ?? '', fromAt: hoursAgo(2), uptoAt: hoursAgo(2), addedAt: hoursAgo(1) },
        })
      return [first ?? '', second ?? '']
    },
    work: whileMore(numberPending),
    isWorked: async (channelId) => (await prisma.messageNumbering.count({ where: { channelId } })) === 0,
  },
  statements: {
    table: 'statement',
    column: 'user_id',
    create: () =>
      two(async (index) => {
        const { userId } = await make.user()
        await prisma.statement.create({ data: { measure: 'banned', userId, createdAt: hoursAgo(2 - index) } })
        return userId
      }),
    work: whileMore(issueStatements),
    isWorked: async (userId) => (await prisma.statement.findFirstOrThrow({ where: { userId } })).issuedAt !== null,
  },
  'rejected bands': {
    table: 'decision',
    column: 'subject_id',
    create: async () => {
      const { communityId } = await make.community()
      const moderator = ctxOf(database, await make.reviewerOf(communityId))
      return two(async () => {
        const subjectId = await commentId({ communityId })
        await decide(moderator, { subjectType: 'comment', subjectId, outcome: 'rejected' })
        return subjectId
      })
    },
    work: whileMore(storeRejectedBands),
    isWorked: async (subjectId) => (await prisma.decision.findFirstOrThrow({ where: { subjectId } })).areBandsStored,
  },
  signals: {
    table: 'signal',
    column: 'subject_id',
    create: () =>
      two(async (index) => {
        const subjectId = await commentId()
        const times = { measuredAt: hoursAgo(2 - index), receivedAt: hoursAgo(2 - index) }
        await prisma.signal.create({
          data: { subjectType: 'comment', subjectId, name: 'spam', score: 0.5, isJudged: false, ...times },
        })
        return subjectId
      }),
    work: whileMore(judgeSignals),
    isWorked: async (subjectId) => (await prisma.signal.findFirstOrThrow({ where: { subjectId } })).isJudged,
  },
  'imported items': {
    table: 'unjudged_import',
    column: 'subject_id',
    create: async () => {
      const { communityId } = await make.community()
      const [first, second] = (await two(() => commentId({ communityId }))).sort()
      for (const subjectId of [first, second])
        await prisma.unjudgedImport.create({
          data: { subjectType: 'comment', subjectId: subjectId ?? '', communityId, addedAt: hoursAgo(2) },
        })
      return [first ?? '', second ?? '']
    },
    work: whileMore(judgeImported),
    isWorked: async (subjectId) => (await prisma.unjudgedImport.count({ where: { subjectId } })) === 0,
  },
  rules: {
    table: 'rule',
    column: 'rule_id',
    create: () => two(overturnedRule),
    work: async (ctx) => {
      since = await returnToShadow(ctx, since)
    },
    isWorked: async (ruleId) => (await prisma.rule.findUniqueOrThrow({ where: { ruleId } })).state === 'shadow',
  },
  endpoints: {
    table: 'webhook_endpoint',
    column: 'endpoint_id',
    create: () =>
      two(async () => {
        const data = { url: 'https://example.com/hook', secret: randomBytes(32), failingSince: hoursAgo(200) }
        return (await prisma.webhookEndpoint.create({ data })).endpointId
      }),
    work: whileMore(switchOffFailingEndpoints),
    isWorked: async (endpointId) =>
      (await prisma.webhookEndpoint.findUniqueOrThrow({ where: { endpointId } })).disabledAt !== null,
  },
  mail: notificationsOn(
    'mail',
    createMailTask({ ...testNotifications, smtp: { url: 'smtp://127.0.0.1:9', from: 'a@desk.example' } }),
  ),
  push: notificationsOn('push', createPushTask(testNotifications)),
  // A post about a rule that is gone ends without being sent.
  'chat posts': {
    table: 'chat_post',
    column: 'room_id',
    create: async () => {
      const [first, second] = await two(async () => {
        const about = { topic: 'rules', subjectType: 'rule', subjectId: 'gone', key: '1', dueAt: hoursAgo(1) }
        const address = { host: 'chat.example', address: randomBytes(32) }
        const at = { createdAt: hoursAgo(3), updatedAt: hoursAgo(3) }
        const posts = { create: { ...about, createdAt: hoursAgo(3) } }
        const data = { name: 'Team', format: 'slack', topics: ['rules'], ...address, ...at, posts }
        return (await prisma.chatRoom.create({ data })).roomId
      })
      return first < second ? [first, second] : [second, first]
    },
    work: whileMore(createRoomsTask(testNotifications)),
    isWorked: async (roomId) => (await prisma.chatPost.findFirstOrThrow({ where: { roomId } })).state === 'dropped',
  },
}

/** Due notifications of two people, about a rule that is gone: they end without being sent. */
function notificationsOn(channel: NotificationChannel, work: (ctx: Ctx) => Promise<boolean>): Rows {
  const about = { topic: 'rules', channel, subjectType: 'rule', subjectId: 'gone', key: '1', createdAt: hoursAgo(3) }
  return {
    table: 'notification',
    column: 'user_id',
    create: () =>
      two(async (index) => {
        const { userId } = await make.user()
        await prisma.notificationPerson.create({ data: { userId, zone: 'UTC', updatedAt: new Date() } })
        await prisma.notification.create({ data: { ...about, userId, dueAt: hoursAgo(2 - index) } })
        return userId
      }),
    work: whileMore(work),
    isWorked: async (userId) => (await prisma.notification.findFirstOrThrow({ where: { userId } })).state === 'dropped',
  }
}

/** A live rule, all of whose items were approved. */
async function overturnedRule(): Promise<string> {
  const { communityId } = await make.community()
  const moderator = ctxOf(database, await make.reviewerOf(communityId), { undoWindowMs: 0 })
  const fields = { communityId, name: 'Links', kinds: ['comment'], condition: { kind: 'links' } }
  const draft = await createRule(moderator, NewRule.parse(fields))
  const { ruleId, version } = await setRuleState(moderator, { ...draft, state: 'live' })
  for (let index = 0; index < 20; index++) {
    const subjectId = await commentId({ communityId })
    const match = { ruleId, version, isLive: true, subjectType: 'comment' as const, subjectId, found: [] }
    await prisma.ruleMatch.create({ data: { ...match, createdAt: new Date() } })
    await decide(moderator, { subjectType: 'comment', subjectId, outcome: 'approved' })
  }
  return ruleId
}

/** Every statement that changes this row fails, until it is mended. */
async function poison(
  { table, column }: Pick<Rows, 'table' | 'column'>,
  id: string,
): Promise<{ mend(): Promise<void> }> {
  const name = `fail_${randomUUID().replaceAll('-', '')}`
  await pool.query(`
    create function ${name}() returns trigger language plpgsql as 'begin raise exception ''this row always fails''; end';
    create trigger ${name} before update or delete on ${table} for each row when (old.${column} = '${id}') execute function ${name}()`)
  const mend = async () => void (await pool.query(`drop function if exists ${name} cascade`))
  onTestFinished(mend)
  return { mend }
}

/** Of this test and of files that ran before it in this process. */
const setAsideOf = (task: string) => rowsSetAside().get(task) ?? []

test.each(
  Object.entries(TASKS),
)('a row that fails holds up no other of the task %s: it is set aside, named in the log once, and worked once it is mended', async (task, rows) => {
  const [bad, good] = await rows.create()
  const { mend } = await poison(rows, bad)
  let offsetMs = 0
  const logged: string[] = []
  const log = Object.assign(createLogger('silent'), { error: (_: unknown, text: string) => void logged.push(text) })
  const ctx = { ...systemCtx(database), log, now: () => new Date(Date.now() + offsetMs) }

  const before = new Set(setAsideOf(task))
  await rows.work(ctx)
  expect([await rows.isWorked(bad), await rows.isWorked(good)]).toEqual([false, true])
  const added = setAsideOf(task).filter((id) => !before.has(id))
  expect(added).toHaveLength(1)
  offsetMs += 70_000
  await rows.work(ctx)
  expect(logged).toEqual([`${task}: a row failed and is set aside; it is tried again later`])

  await mend()
  await rows.work(ctx)
  expect(await rows.isWorked(bad)).toBe(false)
  offsetMs += HOUR_MS
  await rows.work(ctx)
  expect(await rows.isWorked(bad)).toBe(true)
  expect(setAsideOf(task)).not.toContain(added[0])
})

test('an event that fails keeps back later ones about the same subject, and no other', async () => {
  const subject = randomUUID()
  const [bad, next, other] = [await eventOn(subject), await eventOn(subject), await eventOn(randomUUID())]
  const { mend } = await poison({ table: 'event', column: 'event_id' }, bad)
  let offsetMs = 0
  const ctx = { ...systemCtx(database), now: () => new Date(Date.now() + offsetMs) }
  const work = whileMore((ctx) => sequenceBatch(ctx, key))

  await work(ctx)
  expect([await numberOf(bad), await numberOf(next)]).toEqual([null, null])
  const number = await numberOf(other)
  await mend()
  offsetMs = HOUR_MS
  await work(ctx)
  const [first, second] = [(await numberOf(bad)) ?? 0n, await numberOf(next)]
  expect([first > (number ?? 0n), second]).toEqual([true, first + 1n])
})

test('a delivery that fails keeps back what follows it to the same endpoint about the same subject, and nothing else', async () => {
  const [endpointId, otherEndpointId] = [await endpointIdOf(), await endpointIdOf()]
  const subject = randomUUID()
  const bad = await deliveryOf(endpointId, subject)
  const next = await deliveryOf(endpointId, subject)
  const others = [await deliveryOf(endpointId, randomUUID()), await deliveryOf(otherEndpointId, subject)]
  const { mend } = await poison({ table: 'delivery', column: 'delivery_id' }, bad)
  const { added, queue } = createQueue()
  let offsetMs = 0
  const ctx = { ...systemCtx(database), now: () => new Date(Date.now() + offsetMs) }
  const work = whileMore((ctx) => enqueueDeliveries(ctx, queue))

  await work(ctx)
  const ours = () => added.filter((id) => [bad, next, ...others].includes(id))
  expect(new Set(ours())).toEqual(new Set(others))
  await mend()
  offsetMs = HOUR_MS
  await work(ctx)
  expect(ours().slice(2)).toEqual([bad, next])
})

/**
 * Loops that can't leave a row out: why, and what stops with them. docs/operations.md#when-a-task-stops says what an operator does.
 */
const IN_ORDER: Record<string, string> = {
  sequencer:
    'A seal contains the one before it: a row that is left out is sealed behind later ones, which is what the chain exists to show. Rows that Docket did not write are rejected, and hold up none.',
  chain:
    'A seal is checked against the one before it, so nothing behind a row that can’t be read can be checked. Bad rows are found and reported, and nothing waits for the check.',
}

/** The loops of a worker, and their tasks that set rows aside. */
const LOOPS: Record<string, string[] | 'keeps an order' | 'changes rows without reading what is in them'> = {
  events: ['events'],
  'queueing deliveries': ['queueing deliveries'],
  sequencer: 'keeps an order',
  chain: 'keeps an order',
  'chat rooms': ['chat posts'],
  'classifier items': 'changes rows without reading what is in them',
  'delivery queue': 'changes rows without reading what is in them',
  retention: 'changes rows without reading what is in them',
  bans: ['bans', 'mutes'],
  // Tested with bulk actions.
  bulks: ['bulks'],
  endpoints: ['endpoints'],
  erasing: ['erasing'],
  'imported items': ['imported items'],
  mail: ['mail'],
  // Tested with notifications: what they write is new.
  notifications: ['notifications of events', 'chat posts of events'],
  'notifications by time': ['notifications of times', 'chat posts of times'],
  numbering: ['numbering'],
  push: ['push'],
  'rejected bands': ['rejected bands'],
  rules: ['rules'],
  signals: ['signals'],
  statements: ['statements'],
}

test('every loop of a worker sets rows aside, or says why not', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const names = files.flatMap((file) => {
    const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
    return [...text.matchAll(/\bname: '([^']+)',\s*everyMs:/g)].map(([, name]) => name)
  })
  expect(names.sort()).toEqual(Object.keys(LOOPS).sort())
  const setAside = Object.values(LOOPS).flatMap((tasks) => (typeof tasks === 'string' ? [] : tasks))
  expect([...rowsSetAside().keys()].sort()).toEqual(setAside.sort())
  const others = [
    'bulks',
    'notifications of events',
    'notifications of times',
    'chat posts of events',
    'chat posts of times',
  ]
  expect([...Object.keys(TASKS), ...others].sort()).toEqual(setAside.sort())

  const inOrder = Object.keys(LOOPS).filter((name) => LOOPS[name] === 'keeps an order')
  expect(Object.keys(IN_ORDER).sort()).toEqual(inOrder.sort())
  const docs = readFileSync('docs/operations.md', 'utf8').split('\n## When a task stops\n')[1]?.split('\n## ')[0] ?? ''
  for (const name of inOrder) expect(docs).toContain(`\n| \`${name}\` |`)
})
