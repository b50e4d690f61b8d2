import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
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
import { eventually } from '#server/testing/eventually.ts'
import { freePort } from '#server/testing/free-port.ts'
import { openReceiver } from '#server/testing/receiver.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { startDelivering } from '#server/worker/deliveries.ts'
import { startSequencer } from '#server/worker/sequencer.ts'
import { createReceiver, type Received } from '../../docs/examples/receiver.ts'

const { database } = await testDatabase()
const system = systemCtx(database)
const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
const auditKey = keyFor('a secret for tests, long enough to be one', 'audit')

/** The settings of a server with another DOCKET_SECRET. */
const EARLIER = { ...testWebhooks, key: keyFor('a secret that was changed since, and long enough', 'webhooks') }

/** The next attempt follows at once, and the third is the last. */
const queue = await openDeliveryQueue(system, { retryLimit: 2, retryDelay: 0, retryBackoff: false })
/** So long that no answer comes too late. */
const LONG_MS = 600_000
/** Tests may change the limit: it is read with each attempt. */
const outside = { allowsLoopback: true, timeLimitMs: LONG_MS }
const options = { queue, key: testWebhooks.key, outside }
const tasks = [
  startSequencer(system, auditKey, { queue }),
  startDelivering(system, options),
  startDelivering(system, options),
]
afterAll(async () => {
  await Promise.all(tasks.map((task) => task.stop()))
  await queue.close()
})
beforeEach(async () => {
  outside.timeLimitMs = LONG_MS
  await database.prisma.webhookEndpoint.updateMany({ data: { removedAt: new Date() } })
})

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

describe('a delivery', () => {
  test('is what was stored, signed as Standard Webhooks says and for receivers of the existing service', async () => {
    const { receiver, secret, endpointId } = await receiverWithEndpoint()
    await happen('one')
    await eventually('one delivery has arrived', () => receiver.accepted.length).toBe(1)
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
    await eventually('it is delivered', () => statesOf(endpointId)).toEqual(['delivered'])
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
    await eventually('two deliveries have arrived', () => all.receiver.accepted.length).toBe(2)
    await eventually('one delivery has arrived', () => bans.receiver.accepted.length).toBe(1)
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
    await eventually('all five have arrived', () => receiver.accepted.length).toBe(5)
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
    await eventually('all five have arrived', () => receiver.accepted.length).toBe(5)
    expect(receiver.accepted.map(({ data }) => data.n)).toEqual([1, 2, 3, 4, 5])
    await receiver.close()
  })

  const EVENTS = IS_STRESS ? 300 : 100
  test(`of two workers and ${EVENTS} events, each arrives once`, async () => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    await Promise.all(Array.from({ length: EVENTS }, () => happen()))
    await eventually('all have arrived', () => receiver.accepted.length).toBe(EVENTS)
    await eventually('each arrival is stored', () =>
      database.prisma.delivery.count({ where: { endpointId, state: 'delivered' } }),
    ).toBe(EVENTS)
    expect(new Set(receiver.accepted.map(({ id }) => id)).size).toBe(EVENTS)
    expect(receiver.tried).toHaveLength(EVENTS)
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
    onTestFinished(async () => {
      await database.pool.query('drop trigger reject_try on delivery_try; drop function reject_try')
    })
    await inTransaction(system, async (ctx) => {
      for (const subject of ['one', 'rejected', 'two', 'three']) await happen(subject, { payload: { subject } }, ctx)
    })
    await eventually('three deliveries have arrived', () => receiver.accepted.length).toBe(3)
    expect(new Set(receiver.tried.map(({ data }) => data.subject))).toEqual(new Set(['one', 'two', 'three']))
    await receiver.close()
  })

  test('is accepted by the receiver of the guide, once; it rejects another signature', async () => {
    const arrivals: Received[] = []
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/webhooks`
    const { endpoint, secret } = await endpointAt(url)
    const receiver = createReceiver(secret, async (received) => void arrivals.push(received)).listen(port, '127.0.0.1')
    await happen('for the guide')
    await eventually('it is delivered', () => statesOf(endpoint.endpointId)).toEqual(['delivered'])
    const [delivery] = await deliveriesOf(endpoint.endpointId)
    await replayDeliveries(admin, { deliveryIds: [delivery?.deliveryId ?? ''] })
    await eventually('a second attempt was made', async () => (await detailOf(endpoint.endpointId)).made.length).toBe(2)
    await eventually('it is delivered', () => statesOf(endpoint.endpointId)).toEqual(['delivered'])
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
    await eventually('one delivery has arrived', () => receiver.accepted.length).toBe(1)
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
    if (behaviour === 'hangs') outside.timeLimitMs = 1_000
    await happen('head')
    await happen('head', { payload: { behind: true } })
    await eventually('the first delivery is given up', () => statesOf(endpointId)).toEqual(['waiting', 'failed'])
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
    outside.timeLimitMs = LONG_MS
    expect(await replayFailed(admin, { endpointId })).toEqual({ count: 1 })
    await eventually('both are delivered', () => statesOf(endpointId)).toEqual(['delivered', 'delivered'])
    expect(receiver.accepted.map(({ data }) => data.behind)).toEqual([undefined, true])
    expect((await listEndpoints(admin)).at(-1)).toMatchObject({ state: 'active', failed: 0, waiting: 0 })
    await receiver.close()
  })

  test('answers 10 MB counts as delivered, and 2 kB are stored', async () => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    receiver.behave('floods')
    await happen()
    await eventually('it is delivered', () => statesOf(endpointId)).toEqual(['delivered'])
    const [made] = (await detailOf(endpointId)).made
    expect(made?.answer).toBe('x'.repeat(2_048))
    await receiver.close()
  })

  test('does not exist is reported as such', async () => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    await receiver.close()
    await happen()
    await eventually('the delivery is given up', () => statesOf(endpointId)).toEqual(['failed'])
    expect((await detailOf(endpointId)).made[0]).toMatchObject({ problem: 'connection' })
  })

  test('hangs does not block others', async () => {
    const slow = await receiverWithEndpoint()
    slow.receiver.behave('hangs')
    await Promise.all(Array.from({ length: 40 }, () => happen()))
    await eventually(
      'as many attempts as one process makes at once hang',
      () => slow.receiver.tried.length,
    ).toBeGreaterThanOrEqual(8)
    await eventually('there are deliveries behind them', async () => (await deliveriesOf(slow.endpointId)).length).toBe(
      40,
    )
    const quick = await receiverWithEndpoint()
    await happen('quick')
    await eventually('one delivery has arrived', () => quick.receiver.accepted.length).toBe(1)
    await Promise.all([slow.receiver.close(), quick.receiver.close()])
  })
})

describe('a person', () => {
  test('resends what arrived, with the same id', async () => {
    const { receiver, endpointId } = await receiverWithEndpoint()
    await happen()
    await eventually('it is delivered', () => statesOf(endpointId)).toEqual(['delivered'])
    const [delivery] = await deliveriesOf(endpointId)
    expect(await replayDeliveries(admin, { deliveryIds: [delivery?.deliveryId ?? ''] })).toEqual({ count: 1 })
    await eventually('two deliveries have arrived', () => receiver.accepted.length).toBe(2)
    await eventually('it is delivered', () => statesOf(endpointId)).toEqual(['delivered'])
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
    await eventually('the first delivery is given up', () => statesOf(endpointId)).toEqual(['waiting', 'failed'])
    const failed = (await deliveriesOf(endpointId))[1]
    expect(await skipDeliveries(admin, { deliveryIds: [failed?.deliveryId ?? ''] })).toEqual({ count: 1 })
    await eventually('the second delivery is delivered', () => statesOf(endpointId)).toEqual(['delivered', 'skipped'])
    await receiver.close()
  })

  test('resends a range of time to an endpoint that was off in between', async () => {
    const { receiver, endpointId, version } = await receiverWithEndpoint()
    const from = new Date()
    await switchEndpoint(admin, { endpointId, version, isOn: false })
    const { eventId } = await happen('missed')
    await eventually('the event is published', () =>
      database.prisma.event.count({ where: { eventId: BigInt(eventId), seq: { not: null } } }),
    ).toBe(1)
    await switchEndpoint(admin, { endpointId, version: version + 1, isOn: true })
    expect(await deliveriesOf(endpointId)).toEqual([])
    expect(await replayRange(admin, { endpointId, from, before: new Date(Date.now() + 1_000) })).toEqual({ count: 1 })
    await eventually('the delivery has arrived', () => receiver.accepted.length).toBe(1)
    await receiver.close()
  })

  test('tests an endpoint: only that one receives it, whatever its subscriptions', async () => {
    const tested = await receiverWithEndpoint(['channel.didBan'])
    const other = await receiverWithEndpoint()
    await testEndpoint(admin, tested)
    await eventually('the test has arrived', () => tested.receiver.accepted.map(({ event }) => event)).toEqual([
      'webhook.didTest',
    ])
    expect(await deliveriesOf(other.endpointId)).toEqual([])
    await Promise.all([tested.receiver.close(), other.receiver.close()])
  })

  test('replaces a secret: for a day both sign, then only the new one', async () => {
    const { receiver, endpointId, version } = await receiverWithEndpoint()
    const { secret } = await rotateSecret(admin, { endpointId, version }, testWebhooks)
    await happen()
    await eventually('one delivery has arrived', () => receiver.accepted.length).toBe(1)
    expect(receiver.accepted[0]?.headers['webhook-signature']?.toString().split(' ')).toHaveLength(2)
    await database.prisma.webhookEndpoint.update({ where: { endpointId }, data: { previousUntil: new Date() } })
    await happen()
    await eventually('an attempt is rejected', () => receiver.refused.length).toBeGreaterThan(0)
    receiver.trust(secret)
    await eventually('no delivery is waiting', () => statesOf(endpointId)).not.toContain('waiting')
    await replayFailed(admin, { endpointId })
    await eventually('two deliveries have arrived', () => receiver.accepted.length).toBe(2)
    await receiver.close()
  })

  test('an endpoint whose secret was made under another DOCKET_SECRET is failing, and gets everything at once with a new secret', async () => {
    const receiver = await openReceiver()
    const { endpoint } = await addEndpoint(admin, { url: receiver.url, events: [] }, EARLIER)
    await happen()
    await eventually('the delivery is given up', () => statesOf(endpoint.endpointId)).toEqual(['failed'])
    const [failing] = (await listEndpoints(admin)).filter(({ endpointId }) => endpointId === endpoint.endpointId)
    expect(failing).toMatchObject({ failingSince: expect.any(String), lastTry: { problem: 'secret' } })

    const rotated = await rotateSecret(admin, endpoint, testWebhooks)
    expect(rotated.endpoint.failed).toBe(0)
    receiver.trust(rotated.secret)
    await eventually('one delivery has arrived', () => receiver.accepted.length).toBe(1)
    expect(receiver.refused).toEqual([])
    await receiver.close()
  })

  test('signs with a new secret alone where the one before it was made under another DOCKET_SECRET', async () => {
    const receiver = await openReceiver()
    const { endpoint } = await addEndpoint(admin, { url: receiver.url, events: [] }, EARLIER)
    const { secret } = await rotateSecret(admin, endpoint, testWebhooks)
    receiver.trust(secret)
    await happen()
    await eventually('one delivery has arrived', () => receiver.accepted.length).toBe(1)
    expect(receiver.accepted[0]?.headers['webhook-signature']?.toString().split(' ')).toHaveLength(1)
    await receiver.close()
  })
})
