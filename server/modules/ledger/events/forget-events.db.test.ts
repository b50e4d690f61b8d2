import { beforeEach, expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { forgetEvents } from '#server/modules/ledger/events/forget-events.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { checksumsOf } from '#server/testing/checksums.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { sequenceBatch } from '#server/worker/sequencer.ts'

const { database, pool } = await testDatabase()
const ctx = systemCtx(database)
const DAY_MS = 24 * 3_600_000
const inDays = (days: number) => ({ ...ctx, now: () => new Date(Date.now() + days * DAY_MS) })

beforeEach(async () => {
  await pool.query(`delete from event`)
  await pool.query(`select setval('event_event_id_seq', 1, false), restart_partitions('{event}', 1000000)`)
})

async function forgetAll(by: Ctx): Promise<void> {
  while (await forgetEvents(by));
}

/** The partitions with events, and how many. */
async function partitions(): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; count: number }>(
    'select tableoid::regclass::text as name, count(*)::int as count from event group by tableoid',
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

const names = async () =>
  (await pool.query(`select name from partitions_of('event') order by upto`)).rows.map(({ name }) => name)

async function record(count: number, { from, holdForMs = 0 }: { from?: number; holdForMs?: number } = {}) {
  if (from !== undefined) await pool.query(`select setval('event_event_id_seq', $1, false)`, [from])
  for (let index = 0; index < count; index += 1)
    await recordEvent(ctx, { name: 'channel.didBan', subjectType: 'channel', subjectId: 'c', payload: {}, holdForMs })
  await sequenceBatch(ctx, ctx.auditKey)
}

const lastNumber = async () => Number((await pool.query('select max(seq) from event')).rows[0].max)

test('a full partition is dropped once its last event is a month old, and the numbering continues', async () => {
  await forgetAll(ctx)
  await record(6, { from: 1_999_997 })
  expect(await partitions()).toEqual({ event_0: 3, event_2000000: 3 })
  const last = await lastNumber()

  await forgetAll(inDays(29))
  expect(await partitions()).toEqual({ event_0: 3, event_2000000: 3 })
  await forgetAll(inDays(31))
  expect(await partitions()).toEqual({ event_2000000: 1 })
  await record(1)
  expect(await lastNumber()).toBe(last + 1)
})

test('events of the partition that is being filled are deleted one by one, those of a full one with it', async () => {
  await forgetAll(ctx)
  await record(3, { from: 1_999_997 })
  await pool.query(`update event set created_at = created_at - interval '40 days' where event_id < 1999999`)
  await record(3)
  await pool.query(`update event set created_at = created_at - interval '40 days' where event_id in (2000000, 2000002)`)

  await forgetAll(ctx)
  // The last number stays, and so does a full partition with an event of today.
  expect(await partitions()).toEqual({ event_0: 3, event_2000000: 2 })
})

test('an event that is still held keeps its partition', async () => {
  await forgetAll(ctx)
  await record(1, { from: 1_999_997, holdForMs: 60 * DAY_MS })
  await record(3)

  await forgetAll(inDays(31))
  expect(Object.keys(await partitions())).toContain('event_0')
})

test('a write that no partition expects is stored, found and deleted all the same, and the next partition is added after it', async () => {
  await record(3, { from: 30_000_000 })
  expect(await partitions()).toEqual({ event_default: 3 })

  await forgetAll(ctx)
  expect(await partitions()).toEqual({ event_default: 3 })
  await record(1, { from: 30_010_002 })
  await forgetAll(inDays(31))
  expect(await partitions()).toEqual({ event_30010002: 1 })
})

/** By several processes at once; what none of them could do beside the others is done by a later call. */
async function forgetAtOnce(by: Ctx): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, () => forgetAll(by)))
  await forgetAll(by)
}

test('processes that look after the partitions at once add one, and drop one', async () => {
  await forgetAtOnce(ctx)
  expect(await names()).toEqual(['event_0', 'event_2000000', 'event_default'])

  await record(6, { from: 1_999_997 })
  await forgetAtOnce(inDays(31))
  expect(await names()).toEqual(['event_2000000', 'event_3000000', 'event_4000000', 'event_default'])
})

test('a process that dies between detaching and dropping leaves a table that nothing reads and the next one drops', async () => {
  const detached = async () =>
    (
      await pool.query(
        `select relname as name from pg_class where relnamespace = 'docket_expired'::regnamespace and relkind = 'r'`,
      )
    ).rows
  await forgetAll(ctx)
  await record(6, { from: 1_999_997 })

  expect(await forgetEvents(inDays(31))).toBe(true)
  expect(await detached()).toEqual([{ name: 'event_0' }])
  expect(await partitions()).toEqual({ event_2000000: 3 })
  expect(Object.keys(await checksumsOf(pool))).not.toContain('public.event_0')
  await forgetAll(ctx)
  expect(await detached()).toEqual([])
})

test('a long transaction that reads events holds up the partitions, and no writer', async () => {
  await forgetAll(ctx)
  await record(6, { from: 1_999_997 })
  const reader = await pool.connect()
  try {
    await reader.query('begin')
    await reader.query('select count(*) from event')

    // Nothing waits for the end of the reader.
    await Promise.all([forgetAll(inDays(31)), writeSome()])
    expect(Object.keys(await partitions())).toContain('event_0')
  } finally {
    await reader.query('rollback')
    reader.release()
  }
  await forgetAll(inDays(31))
  expect(Object.keys(await partitions())).not.toContain('event_0')
})

async function writeSome(): Promise<void> {
  for (let index = 0; index < 50; index += 1)
    await recordEvent(ctx, { name: 'channel.didBan', subjectType: 'channel', subjectId: 'c', payload: {} })
}
