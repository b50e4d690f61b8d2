import { beforeEach, describe, expect, test } from 'vitest'
import { keyFor } from '#server/core/secret.ts'
import {
  addEndpoint,
  changeEndpoint,
  removeEndpoint,
  rotateSecret,
  switchEndpoint,
} from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { openSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import { forgetDeliveries } from '#server/modules/integrations/webhooks/forget-deliveries.ts'
import { listDeliveries } from '#server/modules/integrations/webhooks/list-deliveries.ts'
import { listEndpoints } from '#server/modules/integrations/webhooks/list-endpoints.ts'
import {
  closeInterruptedAttempts,
  switchOffFailingEndpoints,
} from '#server/modules/integrations/webhooks/maintain-endpoints.ts'
import { readDelivery } from '#server/modules/integrations/webhooks/read-delivery.ts'
import {
  countFailed,
  countRange,
  replayFailed,
  replayRange,
} from '#server/modules/integrations/webhooks/replay-deliveries.ts'
import { DeliveriesInput } from '#server/modules/integrations/webhooks/schema.ts'
import { readTest, testEndpoint } from '#server/modules/integrations/webhooks/test-endpoint.ts'
import { listAudit } from '#server/modules/ledger/audit/list-audit.ts'
import { AuditInput } from '#server/modules/ledger/audit/schema.ts'
import { forgetEvents } from '#server/modules/ledger/events/forget-events.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { asAdmin, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { sequenceBatch } from '#server/worker/sequencer.ts'

const { database, prisma } = await testDatabase()
const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
const system = systemCtx(database)
const auditKey = keyFor('a secret for tests, long enough to be one', 'audit')
const closed = { ...testWebhooks, allowsLoopback: false }
const DAY_MS = 24 * 3_600_000

beforeEach(() => prisma.webhookEndpoint.updateMany({ data: { removedAt: new Date() } }))

const add = (url = 'https://receiver.example/hooks') => addEndpoint(admin, { url, events: [] }, closed)

/** One delivery for each endpoint, as the sequencer creates it. */
async function deliver(subjectId = 'a'): Promise<string> {
  await recordEvent(system, { name: 'v3.comment.didDelete', subjectType: 'comment', subjectId, payload: { a: 1 } })
  await sequenceBatch(system, auditKey)
  const { deliveries } = await listDeliveries(admin, DeliveriesInput.parse({}))
  return deliveries[0]?.deliveryId ?? ''
}

describe('an endpoint', () => {
  test('shows its secret once; the database alone can’t sign, and the log contains no part of it', async () => {
    const { endpoint, secret } = await add()
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const row = await prisma.webhookEndpoint.findUniqueOrThrow({ where: { endpointId: endpoint.endpointId } })
    expect(openSecret(testWebhooks.key, row.secret)).toBe(secret)
    expect(() => openSecret(keyFor('another secret, as long as the first one', 'webhooks'), row.secret)).toThrow()
    const rotated = await rotateSecret(admin, endpoint, closed)
    const everything = JSON.stringify([
      await listEndpoints(admin),
      Buffer.from(row.secret).toString('latin1'),
      (await prisma.audit.findMany()).map(({ before, after }) => [before, after]),
    ])
    for (const shown of [secret, rotated.secret]) expect(everything).not.toContain(shown.slice(6, 30))
  })

  test('is one of ten at most, even with concurrent additions', async () => {
    for (let count = 0; count < 8; count += 1) await add()
    const results = await Promise.allSettled([add(), add(), add(), add()])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect(await listEndpoints(admin)).toHaveLength(10)
  })

  test.each([
    ['http://receiver.example', 'notHttps'],
    ['ftp://receiver.example', 'notHttps'],
    ['https://127.0.0.1', 'notPublic'],
    ['https://[::1]/x', 'notPublic'],
    ['https://localhost:4000', 'notPublic'],
    ['https://10.1.2.3', 'notPublic'],
    ['https://169.254.169.254', 'notPublic'],
    ['https://name:password@receiver.example', 'holdsPassword'],
  ])('is never %s, and the error says why: %s', async (url, problem) => {
    expect(await add(url).catch((error: unknown) => error)).toMatchObject({
      code: 'INVALID_PARAMETERS',
      details: { problem },
    })
  })

  test('may use loopback without TLS only if the setting allows it', async () => {
    const url = 'http://127.0.0.1:4000/hooks'
    expect((await addEndpoint(admin, { url, events: [] }, testWebhooks)).endpoint.url).toBe(url)
    expect(
      await addEndpoint(admin, { url: 'http://receiver.example', events: [] }, testWebhooks).catch(failureOf),
    ).toBe('INVALID_PARAMETERS')
  })

  test('is changed only if it has not changed since it was read', async () => {
    const { endpoint } = await add()
    const { url, endpointId } = endpoint
    const changed = await changeEndpoint(admin, { ...endpoint, url, events: ['channel.didBan'] }, closed)
    expect(changed).toMatchObject({ version: 2, events: ['channel.didBan'] })
    expect(await changeEndpoint(admin, { ...endpoint, url, events: [] }, closed).catch(failureOf)).toBe('CHANGED')
    expect(await rotateSecret(admin, endpoint, closed).catch(failureOf)).toBe('CHANGED')
    expect(await switchEndpoint(admin, { ...endpoint, isOn: false }).catch(failureOf)).toBe('CHANGED')
    expect(await removeEndpoint(admin, endpoint).catch(failureOf)).toBe('CHANGED')
    await removeEndpoint(admin, { endpointId, version: 2 })
    expect(await removeEndpoint(admin, { endpointId, version: 3 }).catch(failureOf)).toBe('NOT_FOUND')
    expect(await listEndpoints(admin)).toEqual([])
    const { secret } = await prisma.webhookEndpoint.findUniqueOrThrow({ where: { endpointId } })
    expect(secret).toHaveLength(0)
    const log = await prisma.audit.findMany({ where: { subjectId: endpointId }, orderBy: { auditId: 'asc' } })
    expect(log.map(({ action }) => action)).toEqual(['webhook.added', 'webhook.changed', 'webhook.removed'])
  })

  test('is in the log with its host only: the rest of its address may be secret', async () => {
    const url = 'https://receiver.example/hooks/SECRET?token=SECRET'
    const { endpoint } = await addEndpoint(admin, { url, events: [] }, closed)
    await changeEndpoint(admin, { ...endpoint, url: `${url}2`, events: [] }, closed)
    const historian = ctxOf(database, asAdmin(['VIEW_HISTORY']))
    const { items: entries } = await listAudit(
      historian,
      AuditInput.parse({ subjectType: 'webhook', subjectId: endpoint.endpointId }),
    )
    expect(entries).toHaveLength(2)
    expect(JSON.stringify(entries)).toContain('receiver.example')
    expect(JSON.stringify(entries)).not.toContain('SECRET')
  })

  test('is switched off after five days without an arrival, which is logged and visible', async () => {
    const clock = clockAt('2026-01-01T00:00:00Z')
    const { endpoint } = await add()
    const { endpointId } = endpoint
    await prisma.webhookEndpoint.update({ where: { endpointId }, data: { failingSince: clock.now() } })
    clock.advance(5 * DAY_MS - 1)
    expect(await switchOffFailingEndpoints({ ...system, now: clock.now })).toBe(0)
    clock.advance(1)
    expect(await switchOffFailingEndpoints({ ...system, now: clock.now })).toBe(1)
    expect(await listEndpoints(admin)).toMatchObject([
      { state: 'off', offReason: 'failing', offSince: '2026-01-06T00:00:00.000Z' },
    ])
    expect(await prisma.audit.count({ where: { subjectId: endpointId, action: 'webhook.switchedOff' } })).toBe(1)
    expect(await prisma.event.count({ where: { subjectId: endpointId, isDeskOnly: true } })).toBe(1)

    await recordEvent(system, { name: 'channel.didBan', subjectType: 'channel', subjectId: 'c', payload: {} })
    await sequenceBatch(system, auditKey)
    expect((await listDeliveries(admin, DeliveriesInput.parse({ endpointId }))).deliveries).toEqual([])
    expect(await testEndpoint(admin, endpoint).catch(failureOf)).toBe('CHANGED')
    expect(await replayFailed(admin, endpoint).catch(failureOf)).toBe('CHANGED')
    expect(await switchEndpoint(admin, { endpointId, version: 2, isOn: true })).toMatchObject({ state: 'active' })
  })
})

describe('deliveries', () => {
  test('are listed by endpoint, state, event, subject and time, page after page and back', async () => {
    const [one, other] = [await add(), await add()]
    const began = new Date()
    for (let index = 0; index < 5; index += 1) await deliver(`of ${index}`)
    const list = async (over: Record<string, unknown>) =>
      (await listDeliveries(admin, DeliveriesInput.parse(over))).deliveries
    expect(await list({})).toHaveLength(10)
    expect(await list({ endpointId: one.endpoint.endpointId })).toHaveLength(5)
    expect(await list({ state: 'failed' })).toEqual([])
    expect(await list({ event: 'channel.didBan' })).toEqual([])
    expect(await list({ event: 'v3.comment.didDelete', state: 'waiting' })).toHaveLength(10)
    expect(await list({ before: began.toISOString() })).toEqual([])
    expect(await list({ subjectId: 'of 3' })).toMatchObject([{ subjectId: 'of 3' }, { subjectId: 'of 3' }])
    expect(await list({ subjectId: 'of 3', endpointId: one.endpoint.endpointId })).toHaveLength(1)
    expect(await list({ from: began.toISOString(), endpointId: other.endpoint.endpointId })).toHaveLength(5)

    const seen: string[] = []
    const back: (string | undefined)[] = []
    let cursor: string | undefined
    do {
      const page = await listDeliveries(admin, DeliveriesInput.parse({ limit: 3, ...(cursor && { cursor }) }))
      seen.push(...page.deliveries.map(({ deliveryId }) => deliveryId))
      back.push(page.previous)
      cursor = page.next
    } while (cursor !== undefined)
    expect(new Set(seen).size).toBe(10)
    expect(seen).toHaveLength(10)
    expect(back[0]).toBeUndefined()
    const before = await listDeliveries(admin, DeliveriesInput.parse({ limit: 3, cursor: back[2] }))
    expect(before.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(seen.slice(3, 6))
    expect(await listDeliveries(admin, DeliveriesInput.parse({ cursor: 'x' })).catch(failureOf)).toBe('INVALID_REQUEST')
  })

  test('of a test are found by its event; a new test replaces one that did not arrive', async () => {
    const { endpoint } = await add()
    const first = await testEndpoint(admin, endpoint)
    expect(await readTest(admin, first)).toEqual({})
    await sequenceBatch(system, auditKey)
    expect(await readTest(admin, first)).toMatchObject({ delivery: { event: 'webhook.didTest', state: 'waiting' } })
    const second = await testEndpoint(admin, endpoint)
    await sequenceBatch(system, auditKey)
    expect((await readTest(admin, first)).delivery?.state).toBe('skipped')
    expect((await readTest(admin, second)).delivery?.state).toBe('waiting')
    const other = await deliver()
    const { eventId } = await prisma.event.findFirstOrThrow({ where: { subjectId: 'a' }, orderBy: { eventId: 'desc' } })
    expect(await readDelivery(admin, { deliveryId: other })).toMatchObject({ subjectId: 'a' })
    expect(await readTest(admin, { eventId: String(eventId) })).toEqual({})
  })

  test('that failed, or of a time range, are counted before they are sent again', async () => {
    const { endpoint } = await add()
    const { endpointId } = endpoint
    const from = new Date()
    const ids = [await deliver('one'), await deliver('two'), await deliver('three')]
    const range = { endpointId, from, before: new Date(Date.now() + 1_000) }
    // They are in progress.
    expect([await countFailed(admin, { endpointId }), await countRange(admin, range)]).toEqual([
      { count: 0 },
      { count: 0 },
    ])
    await prisma.delivery.update({ where: { deliveryId: ids[0] ?? '' }, data: { state: 'failed' } })
    await prisma.delivery.update({ where: { deliveryId: ids[1] ?? '' }, data: { state: 'delivered' } })
    await prisma.delivery.update({ where: { deliveryId: ids[2] ?? '' }, data: { nextTryAt: new Date() } })
    expect(await countFailed(admin, { endpointId })).toEqual({ count: 2 })
    expect(await countRange(admin, range)).toEqual({ count: 3 })
    expect(await replayFailed(admin, { endpointId })).toEqual({ count: 2 })
    expect(await countFailed(admin, { endpointId })).toEqual({ count: 0 })
    expect(await countRange(admin, range)).toEqual({ count: 1 })
    expect(await replayRange(admin, range)).toEqual({ count: 1 })
  })

  test('are given up if the process died during their last attempt', async () => {
    await add()
    const deliveryId = await deliver()
    const startedAt = new Date(Date.now() - 61_000)
    await prisma.deliveryTry.create({ data: { deliveryId, number: 1, isLast: true, startedAt } })
    await prisma.delivery.update({ where: { deliveryId }, data: { tries: 1 } })
    expect(await closeInterruptedAttempts(system)).toBe(1)
    expect(await readDelivery(admin, { deliveryId })).toMatchObject({
      state: 'failed',
      made: [{ number: 1, problem: 'interrupted' }],
    })
    expect(await closeInterruptedAttempts(system)).toBe(0)
  })

  test('are kept for 30 days, as are events; the numbering continues', async () => {
    await add()
    const deliveryId = await deliver()
    const later = { ...system, now: () => new Date(Date.now() + 30 * DAY_MS) }
    const last = await prisma.event.aggregate({ _max: { seq: true } })
    await forgetDeliveries({ ...system, now: () => new Date(Date.now() + 29 * DAY_MS) })
    expect((await readDelivery(admin, { deliveryId })).body).toBe('{"event": "v3.comment.didDelete", "data": {"a": 1}}')

    await recordEvent(system, { name: 'channel.didBan', subjectType: 'channel', subjectId: 'c', payload: {} })
    await sequenceBatch(system, auditKey)
    expect(await forgetEvents(later)).toBe(false)
    expect((await readDelivery(admin, { deliveryId })).body).toBeUndefined()
    await forgetDeliveries(later)
    expect(await readDelivery(admin, { deliveryId }).catch(failureOf)).toBe('NOT_FOUND')

    await recordEvent(system, { name: 'channel.didBan', subjectType: 'channel', subjectId: 'c', payload: {} })
    await sequenceBatch(system, auditKey)
    const { _max } = await prisma.event.aggregate({ _max: { seq: true } })
    expect(Number(_max.seq)).toBe(Number(last._max.seq) + 2)
  })
})
