import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { createDeliveries } from '#server/modules/integrations/webhooks/enqueue-deliveries.ts'
import { forgetDeliveries } from '#server/modules/integrations/webhooks/forget-deliveries.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, pool } = await testDatabase()
const ctx = systemCtx(database)
const DAY_MS = 24 * 3_600_000
const inDays = (days: number) => ({ ...ctx, now: () => new Date(Date.now() + days * DAY_MS) })

await pool.query(`
  insert into webhook_endpoint (endpoint_id, url, events, secret, created_at, updated_at) select id, 'https://example.com', '{}', '', now(), now()
  from unnest(array['first', 'second']) id`)

beforeEach(async () => {
  await pool.query(`delete from delivery`)
  await pool.query(`delete from event`)
  await pool.query(`select restart_partitions('{delivery,delivery_try}', 1000000)`)
})

async function forgetAll(by: Ctx): Promise<void> {
  while (await forgetDeliveries(by));
}

/** An event with each of these numbers, and a delivery with one attempt to each of both endpoints. */
async function deliver(by: Ctx, ...seqs: number[]): Promise<void> {
  await pool.query(
    `insert into event (seq, name, subject_type, subject_id, payload, state, created_at, releases_at)
     select seq, 'channel.didBan', 'channel', 'c', '{}', 'released', $2, $2 from unnest($1::bigint[]) seq`,
    [seqs, by.now()],
  )
  await createDeliveries(by, seqs.map(String))
  await pool.query(
    `insert into delivery_try (delivery_id, number, is_last, started_at)
     select delivery_id, 1, false, created_at from delivery where event_seq = any($1)`,
    [seqs],
  )
}

/** The partitions with deliveries and with attempts, and how many. */
async function partitions(): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; count: number }>(`
    select tableoid::regclass::text as name, count(*)::int as count from delivery group by tableoid
    union all select tableoid::regclass::text, count(*)::int from delivery_try group by tableoid`)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

const tables = async () =>
  (
    await pool.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relname ~ '^delivery(_try)?_' order by oid`,
    )
  ).rows.map(({ name }) => name)

test('a full partition is dropped with its attempts once its last delivery is a month old', async () => {
  await deliver(ctx, 1)
  await forgetAll(ctx)
  await deliver(ctx, 1_999_999, 2_000_000)
  expect(await partitions()).toEqual({ delivery_0: 4, delivery_2000000: 2, delivery_try_0: 4, delivery_try_2000000: 2 })

  await forgetAll(inDays(29))
  expect(await tables()).toContain('delivery_0')
  await forgetAll(inDays(31))
  expect(await partitions()).toEqual({})
  expect(await tables()).not.toContain('delivery_0')
  expect(await tables()).not.toContain('delivery_try_0')
})

test('a partition that was detached is dropped while somebody reads the endpoints, without waiting for them', async () => {
  await deliver(ctx, 1)
  await forgetAll(ctx)
  await deliver(ctx, 2_000_000)
  await forgetDeliveries(inDays(31))
  expect(await partitions()).not.toHaveProperty('delivery_0')

  const reader = await pool.connect()
  onTestFinished(() => reader.release(true))
  await reader.query('begin')
  await reader.query('select from webhook_endpoint')
  await forgetAll(inDays(31))
  expect(await tables()).not.toContain('delivery_0')
})

test('deliveries of the partition that is being filled are deleted one by one, with their attempts', async () => {
  await deliver(inDays(-40), 1, 2)
  await deliver(ctx, 3)
  await forgetAll(ctx)
  expect(await partitions()).toEqual({ delivery_0: 2, delivery_try_0: 2 })
})

test('a delivery that was created for an old event keeps its partition for a month', async () => {
  await deliver(inDays(-40), 1)
  await forgetAll(inDays(-40))
  await deliver(ctx, 2)
  await deliver(ctx, 2_000_000)
  await forgetAll(ctx)
  expect(await partitions()).toMatchObject({ delivery_0: 4, delivery_2000000: 2 })
})

test('an event is delivered to an endpoint once in every partition, however many create deliveries at once', async () => {
  await deliver(ctx, 1)
  await forgetAll(ctx)
  await deliver(ctx, 2_500_000, 40_000_000)
  const create = () => createDeliveries(ctx, ['1', '2500000', '40000000'])
  await pool.query('delete from delivery')
  await Promise.all(Array.from({ length: 6 }, create))
  await create()
  expect(await partitions()).toEqual({ delivery_0: 2, delivery_2000000: 2, delivery_default: 2 })
})

test('an event whose partition of deliveries has been dropped is delivered, and its delivery deleted, all the same', async () => {
  await deliver(ctx, 1)
  await forgetAll(ctx)
  await deliver(ctx, 2_000_000)
  await forgetAll(inDays(31))
  await createDeliveries(inDays(32), ['1'])
  expect(await partitions()).toEqual({ delivery_default: 2 })
  await forgetAll(inDays(33))
  expect(await partitions()).toEqual({ delivery_default: 2 })
  await forgetAll(inDays(63))
  expect(await partitions()).toEqual({})
})

test('processes that look after the partitions at once add one, and drop one', async () => {
  await deliver(ctx, 1)
  await Promise.all(Array.from({ length: 4 }, () => forgetAll(ctx)))
  await deliver(ctx, 2_000_000)
  await Promise.all(Array.from({ length: 4 }, () => forgetAll(inDays(31))))
  await forgetAll(inDays(31))
  expect((await tables()).filter((name) => !name.includes('try'))).toEqual([
    'delivery_default',
    'delivery_2000000',
    'delivery_3000000',
  ])
})
