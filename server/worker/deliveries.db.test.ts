import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { keyFor } from '#server/core/secret.ts'
import { addEndpoint, rotateSecret, switchEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { openDeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { newEndpointSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import { listDeliveries } from '#server/modules/integrations/webhooks/list-deliveries.ts'
import { listEndpoints } from '#server/modules/integrations/webhooks/list-endpoints.ts'
import { readDelivery } from '#server/modules/integrations/webhooks/read-delivery.ts'
import {
  replayDeliveries,
  replayFailed,
  replayRange,
  skipDeliveries,
} from '#server/modules/integrations/webhooks/replay-deliveries.ts'
import { DeliveriesInput, type Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import { signDelivery } from '#server/modules/integrations/webhooks/sign-delivery.ts'
import { testEndpoint } from '#server/modules/integrations/webhooks/test-endpoint.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { freePort } from '#server/testing/free-port.ts'
import { openReceiver } from '#server/testing/receiver.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { takeTurns } from '#server/testing/turns.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { startDelivering } from '#server/worker/deliveries.ts'
import { startSequencer } from '#server/worker/sequencer.ts'
import { createReceiver, type Received } from '../../docs/examples/receiver.ts'

takeTurns()

const { database } = await testDatabase()
const system = systemCtx(database)
const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
const auditKey = keyFor('a secret for tests, long enough to be one', 'audit')

/** The settings of a server with another DOCKET_SECRET. */
const EARLIER = { ...testWebhooks, key: keyFor('a secret that was changed since, and long enough', 'webhooks') }

const statements = recordStatements(database.pool)

/** The next attempt follows at once, and the third is the last. */
const queue = await openDeliveryQueue(system, { retryLimit: 2, retryDelay: 0, retryBackoff: false })
const options = { queue, key: testWebhooks.key, outside: { allowsLoopback: true, timeLimitMs: 2_000 } }
const tasks = [
  startSequencer(system, auditKey, { queue }),
  startDelivering(system, options),
  startDelivering(system, options),
]
afterAll(async () => {
  await Promise.all(tasks.map((task) => task.stop()))
  await queue.close()
})
beforeEach(() => database.prisma.webhookEndpoint.updateMany({ data: { removedAt: new Date() } }))

async function endpointAt(url: string, events: Endpoint['events'] = []) {
  return addEndpoint(admin, { url, events }, testWebhooks)
}

async function receiverWithEndpoint(events: Endpoint['events'] = []) {
  const receiver = await openReceiver()
  const { endpoint, secret } = await endpointAt(receiver.url, events)
  receiver.trust(secret)
  return { receiver, ...endpoint, secret }
}

function happen(
  subjectId: string = randomUUID(),
  over: Partial<Parameters<typeof recordEvent>[1]> = {},
  ctx: Ctx = system,
) {
  return recordEvent(ctx, {
    name: 'v3.comment.didDelete',
    subjectType: 'comment',
    subjectId,
    payload: { comments: [{ commentId: subjectId, data: { text: 'Grüße 🦉 "quoted" \\ and 1e3' } }], n: 1 },
    ...over,
  })
}

const deliveriesOf = async (endpointId: string) =>
  (await listDeliveries(admin, DeliveriesInput.parse({ endpointId, limit: 100 }))).deliveries
const statesOf = async (endpointId: string) => (await deliveriesOf(endpointId)).map(({ state }) => state)
const detailOf = async (endpointId: string) =>
  readDelivery(admin, { deliveryId: (await deliveriesOf(endpointId))[0]?.deliveryId ?? '' })
const eventually = { timeout: 18_000, interval: 20 }

describe('a delivery', () => {
  test('is what was stored, signed as Standard Webhooks says and for receivers of the existing service', async () => {
    const { receiver, secret, endpointId } = await receiverWithEndpoint()
    await happen('one')
    await expect.poll(() => receiver.accepted.length, eventually).toBe(1)
    const [arrival] = receiver.accepted
    expect(arrival?.data).toEqual({
      comments: [{ commentId: 'one', data: { text: 'Grüße 🦉 "quoted" \\ and 1e3' } }],
      n: 1,
    })
    expect(arrival?.event).toBe('v3.comment.didDelete')
    expect(arrival?.headers['x-amity-signature']).toBe(
      createHmac('sha256', secret)
        .update(arrival?.body ?? '')
        .digest('base64'),
    )
    expect(arrival?.headers['content-type']).toBe('application/json')
    await expect.poll(() => statesOf(endpointId), eventually).toEqual(['delivered'])
    const detail = await detailOf(endpointId)
    expect(detail).toMatchObject({ webhookId: arrival?.id, body: arrival?.body, tries: 1 })
    expect(detail.made).toEqual([
      { number: 1, startedAt: expect.any(String), durationMs: expect.any(Number), status: 200, answer: '{}' },
    ])
    expect(receiver.refused).toEqual([])
    await receiver.close()
  })

  test('goes to the endpoints subscribed to the event, and to none for desk-only events', async () => {
    const all = await receiverWithEndpoint()
    const bans = await receiverWithEndpoint(['channel.didBan'])
    await happen('a', { isDeskOnly: true, name: 'desk.comment.didHold' })
    await happen('b')
    await happen('c', { name: 'channel.didBan' })
    await expect.poll(() => all.receiver.accepted.length, eventually).toBe(2)
    await expect.poll(() => bans.receiver.accepted.length, eventually).toBe(1)
    expect(bans.receiver.accepted[0]?.event).toBe('channel.didBan')
    expect(await deliveriesOf(all.endpointId)).toHaveLength(2)
    await Promise.all([all.receiver.close(), bans.receiver.close()])
  })

  test('keeps the order of its subject while one fails and is retried; others are not held up', async () => {
    const { receiver } = await receiverWithEndpoint()
    receiver.behave(({ data, id }) => {
      const isEarly = receiver.tried.filter((arrival) => arrival.id === id).length < 3
      return data.n === 2 && isEarly ? 'fails' : 'well'
    })
    for (const n of [1, 2, 3, 4]) await happen('ordered', { payload: { n } })
    await happen('other', { payload: { n: 'other' } })
    await expect.poll(() => receiver.accepted.length, eventually).toBe(5)
    expect(receiver.accepted.filter(({ data }) => data.n !== 'other').map(({ data }) => data.n)).toEqual([1, 2, 3, 4])
    const second = receiver.tried.filter(({ data }) => data.n === 2)
    expect(second).toHaveLength(3)
    expect(new Set(second.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
    await receiver.close()
  })

  test('keeps its order through one transaction, and through the undo time', async () => {
    const { receiver } = await receiverWithEndpoint()
    await happen('held', { payload: { n: 1 }, holdForMs: 600 })
    await happen('held', { payload: { n: 2 } })
    await inTransaction(system, async (ctx) => {
      for (const n of [3, 4, 5]) await happen('held', { payload: { n } }, ctx)
    })
    await expect.poll(() => receiver.accepted.length, eventually).toBe(5)
    expect(receiver.accepted.map(({ data }) => data.n)).toEqual([1, 2, 3, 4, 5])
    await receiver.close()
  })

  const EVENTS = IS_STRESS ? 300 : 100
  test(`of two workers and ${EVENTS} events, each arrives once`, async () => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    await Promise.all(Array.from({ length: EVENTS }, () => happen()))
    await expect.poll(() => receiver.accepted.length, eventually).toBe(EVENTS)
    await expect
      .poll(() => database.prisma.delivery.count({ where: { endpointId, state: 'delivered' } }), eventually)
      .toBe(EVENTS)
    expect(new Set(receiver.accepted.map(({ id }) => id)).size).toBe(EVENTS)
    expect(receiver.tried).toHaveLength(EVENTS)
    await receiver.close()
  })

  test('shares its statements with those of other subjects, and its connection with those to the same endpoint', async () => {
    const { receiver } = await receiverWithEndpoint()
    statements.clear()
    await inTransaction(system, async (ctx) => {
      for (let n = 0; n < 100; n += 1) await happen(`shared ${n}`, {}, ctx)
    })
    await expect.poll(() => receiver.accepted.length, eventually).toBe(100)
    await expect.poll(() => database.prisma.delivery.count({ where: { state: 'waiting' } }), eventually).toBe(0)
    const ofTries = statements.all.filter((text) => /(insert into|update) delivery_try/.test(text))
    expect(ofTries.length).toBeLessThan(100)
    expect(receiver.connections()).toBeLessThan(50)
    await receiver.close()
  })

  test('fails alone when the database rejects the start of its attempt: those started with it arrive', async () => {
    const { receiver } = await receiverWithEndpoint()
    await database.pool.query(`
      create function reject_try() returns trigger language plpgsql as $$ begin
        if (select subject_id from delivery where delivery_id = new.delivery_id) = 'rejected' then raise 'rejected'; end if;
        return new;
      end $$;
      create trigger reject_try before insert on delivery_try for each row execute function reject_try()`)
    await inTransaction(system, async (ctx) => {
      for (const subject of ['one', 'rejected', 'two', 'three']) await happen(subject, { payload: { subject } }, ctx)
    })
    await expect.poll(() => receiver.accepted.length, eventually).toBe(3)
    expect(new Set(receiver.tried.map(({ data }) => data.subject))).toEqual(new Set(['one', 'two', 'three']))
    await database.pool.query('drop trigger reject_try on delivery_try; drop function reject_try')
    await receiver.close()
  })

  test('is accepted by the receiver of the guide, once; it rejects another signature', async () => {
    const arrivals: Received[] = []
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/webhooks`
    const { endpoint, secret } = await endpointAt(url)
    const receiver = createReceiver(secret, async (received) => void arrivals.push(received)).listen(port, '127.0.0.1')
    await happen('for the guide')
    await expect.poll(() => statesOf(endpoint.endpointId), eventually).toEqual(['delivered'])
    const [delivery] = await deliveriesOf(endpoint.endpointId)
    await replayDeliveries(admin, { deliveryIds: [delivery?.deliveryId ?? ''] })
    await expect.poll(async () => (await detailOf(endpoint.endpointId)).made.length, eventually).toBe(2)
    await expect.poll(() => statesOf(endpoint.endpointId), eventually).toEqual(['delivered'])
    expect(arrivals).toMatchObject([{ id: delivery?.webhookId, event: 'v3.comment.didDelete', data: { n: 1 } }])

    const headers = signDelivery({ secrets: [newEndpointSecret()], webhookId: 'evt_1', at: new Date(), body: '{}' })
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401)
    receiver.close()
  })

  test('is never created for what was rolled back', async () => {
    const { receiver } = await receiverWithEndpoint()
    const rolledBack = inTransaction(system, async (ctx) => {
      await happen('never', {}, ctx)
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await happen('after')
    await expect.poll(() => receiver.accepted.length, eventually).toBe(1)
    expect(await database.prisma.event.count({ where: { subjectId: 'never' } })).toBe(0)
    await receiver.close()
  })
})

describe('a receiver that', () => {
  const faults = [
    ['answers 500', 'fails', { problem: 'status', status: 500, answer: 'out of order' }],
    ['hangs', 'hangs', { problem: 'timeout' }],
    ['closes half way', 'cuts', { problem: 'cut', status: 200, answer: 'only a part' }],
    ['closes without a word', 'slams', { problem: 'cut' }],
    ['redirects', 'redirects', { problem: 'redirect', status: 302 }],
  ] as const
  test.each(faults)('%s gets retries, each recorded, until the delivery is given up', async (_, behaviour, outcome) => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    receiver.behave(behaviour)
    await happen('head')
    await happen('head', { payload: { behind: true } })
    await expect.poll(() => statesOf(endpointId), eventually).toEqual(['waiting', 'failed'])
    const failed = (await deliveriesOf(endpointId))[1]
    const detail = await readDelivery(admin, { deliveryId: failed?.deliveryId ?? '' })
    expect(detail.made).toHaveLength(3)
    expect(detail.made[0]).toMatchObject(outcome)
    expect(new Set(receiver.tried.map(({ id }) => id)).size).toBe(1)
    expect((await listEndpoints(admin)).find((endpoint) => endpoint.endpointId === endpointId)).toMatchObject({
      state: 'down',
      failed: 1,
      waiting: 1,
      lastTry: { problem: outcome.problem },
    })

    receiver.behave('well')
    expect(await replayFailed(admin, { endpointId })).toEqual({ count: 1 })
    await expect.poll(() => statesOf(endpointId), eventually).toEqual(['delivered', 'delivered'])
    expect(receiver.accepted.map(({ data }) => data.behind)).toEqual([undefined, true])
    expect((await listEndpoints(admin)).at(-1)).toMatchObject({ state: 'active', failed: 0, waiting: 0 })
    await receiver.close()
  })

  test('answers 10 MB counts as delivered: 2 kB are stored, and little more is read', async () => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    receiver.behave('floods')
    await happen()
    await expect.poll(() => statesOf(endpointId), eventually).toEqual(['delivered'])
    const [made] = (await detailOf(endpointId)).made
    expect(made?.answer).toBe('x'.repeat(2_048))
    await receiver.close()
  })

  test('does not exist is reported as such', async () => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    await receiver.close()
    await happen()
    await expect.poll(() => statesOf(endpointId), eventually).toEqual(['failed'])
    expect((await detailOf(endpointId)).made[0]).toMatchObject({ problem: 'connection' })
  })

  test('hangs does not block others', async () => {
    const slow = await receiverWithEndpoint()
    slow.receiver.behave('hangs')
    await Promise.all(Array.from({ length: 40 }, () => happen()))
    await expect.poll(() => slow.receiver.tried.length, eventually).toBeGreaterThanOrEqual(8)
    await expect.poll(async () => (await deliveriesOf(slow.endpointId)).length, eventually).toBe(40)
    const quick = await receiverWithEndpoint()
    const startedAt = performance.now()
    await happen('quick')
    await expect.poll(() => quick.receiver.accepted.length, eventually).toBe(1)
    expect(performance.now() - startedAt).toBeLessThan(1_900)
    await Promise.all([slow.receiver.close(), quick.receiver.close()])
  })
})

describe('a person', () => {
  test('resends what arrived, with the same id', async () => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    await happen()
    await expect.poll(() => statesOf(endpointId), eventually).toEqual(['delivered'])
    const [delivery] = await deliveriesOf(endpointId)
    expect(await replayDeliveries(admin, { deliveryIds: [delivery?.deliveryId ?? ''] })).toEqual({ count: 1 })
    await expect.poll(() => receiver.accepted.length, eventually).toBe(2)
    await expect.poll(() => statesOf(endpointId), eventually).toEqual(['delivered'])
    expect(receiver.accepted[0]?.id).toBe(receiver.accepted[1]?.id)
    expect(receiver.accepted[0]?.body).toBe(receiver.accepted[1]?.body)
    const detail = await detailOf(endpointId)
    expect(detail.made.map(({ number }) => number)).toEqual([2, 1])
    expect(receiver.accepted[1]?.headers).toMatchObject(detail.headers ?? { none: 'shown' })
    expect((await listEndpoints(admin)).at(-1)?.lastArrivedAt).toBe(detail.finishedAt)
    const audits = await database.prisma.audit.findMany({
      where: { subjectId: endpointId, action: 'webhook.replayed' },
    })
    expect(audits.map(({ after }) => after)).toEqual([{ count: 1 }])
    await receiver.close()
  })

  test('skips what was given up, and the deliveries behind it continue', async () => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    receiver.behave(({ data }) => (data.behind ? 'well' : 'fails'))
    await happen('head')
    await happen('head', { payload: { behind: true } })
    await expect.poll(() => statesOf(endpointId), eventually).toEqual(['waiting', 'failed'])
    const failed = (await deliveriesOf(endpointId))[1]
    expect(await skipDeliveries(admin, { deliveryIds: [failed?.deliveryId ?? ''] })).toEqual({ count: 1 })
    await expect.poll(() => statesOf(endpointId), eventually).toEqual(['delivered', 'skipped'])
    await receiver.close()
  })

  test('resends a range of time to an endpoint that was off in between', async () => {
    const { receiver, endpointId, version } = await receiverWithEndpoint()
    const from = new Date()
    await switchEndpoint(admin, { endpointId, version, isOn: false })
    const { eventId } = await happen('missed')
    await expect
      .poll(() => database.prisma.event.count({ where: { eventId: BigInt(eventId), seq: { not: null } } }), eventually)
      .toBe(1)
    await switchEndpoint(admin, { endpointId, version: version + 1, isOn: true })
    expect(await deliveriesOf(endpointId)).toEqual([])
    expect(await replayRange(admin, { endpointId, from, before: new Date(Date.now() + 1_000) })).toEqual({ count: 1 })
    await expect.poll(() => receiver.accepted.map(({ data }) => data), eventually).toHaveLength(1)
    await receiver.close()
  })

  test('tests an endpoint: only that one receives it, whatever its subscriptions', async () => {
    const tested = await receiverWithEndpoint(['channel.didBan'])
    const other = await receiverWithEndpoint()
    await testEndpoint(admin, tested)
    await expect.poll(() => tested.receiver.accepted.map(({ event }) => event), eventually).toEqual(['webhook.didTest'])
    expect(await deliveriesOf(other.endpointId)).toEqual([])
    await Promise.all([tested.receiver.close(), other.receiver.close()])
  })

  test('replaces a secret: for a day both sign, then only the new one', async () => {
    const { receiver, endpointId, version } = await receiverWithEndpoint()
    const { secret } = await rotateSecret(admin, { endpointId, version }, testWebhooks)
    await happen()
    await expect.poll(() => receiver.accepted.length, eventually).toBe(1)
    expect(receiver.accepted[0]?.headers['webhook-signature']?.toString().split(' ')).toHaveLength(2)
    await database.prisma.webhookEndpoint.update({ where: { endpointId }, data: { previousUntil: new Date() } })
    await happen()
    await expect.poll(() => receiver.refused.length, eventually).toBeGreaterThan(0)
    receiver.trust(secret)
    await expect.poll(() => statesOf(endpointId), eventually).not.toContain('waiting')
    await replayFailed(admin, { endpointId })
    await expect.poll(() => receiver.accepted.length, eventually).toBe(2)
    await receiver.close()
  })

  test('an endpoint whose secret was made under another DOCKET_SECRET is failing, and gets everything at once with a new secret', async () => {
    const receiver = await openReceiver()
    const { endpoint } = await addEndpoint(admin, { url: receiver.url, events: [] }, EARLIER)
    await happen()
    await expect.poll(() => statesOf(endpoint.endpointId), eventually).toEqual(['failed'])
    const [failing] = (await listEndpoints(admin)).filter(({ endpointId }) => endpointId === endpoint.endpointId)
    expect(failing).toMatchObject({ failingSince: expect.any(String), lastTry: { problem: 'secret' } })

    const rotated = await rotateSecret(admin, endpoint, testWebhooks)
    expect(rotated.endpoint.failed).toBe(0)
    receiver.trust(rotated.secret)
    await expect.poll(() => receiver.accepted.length, eventually).toBe(1)
    expect(receiver.refused).toEqual([])
    await receiver.close()
  })

  test('signs with a new secret alone where the one before it was made under another DOCKET_SECRET', async () => {
    const receiver = await openReceiver()
    const { endpoint } = await addEndpoint(admin, { url: receiver.url, events: [] }, EARLIER)
    const { secret } = await rotateSecret(admin, endpoint, testWebhooks)
    receiver.trust(secret)
    await happen()
    await expect.poll(() => receiver.accepted.length, eventually).toBe(1)
    expect(receiver.accepted[0]?.headers['webhook-signature']?.toString().split(' ')).toHaveLength(1)
    await receiver.close()
  })
})
