import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Ctx } from '#server/core/ctx.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { keptDatabase } from '../data/bench-database.ts'
import { ctxOf, withDatabase } from '../data/bench-people.ts'
import { delayAt, delayRows, sortDelays } from '../measure/delays.ts'
import { readOwnCpuMs } from '../measure/process-cpu.ts'
import type { Report } from '../reports/results.ts'

/** Events between two looks of the worker. */
const STEP = 500_000
/** Expired beyond what is to be dropped, as a partition is dropped as a whole. */
const MORE_STEPS = 2
const WRITERS = 4
const WRITES_FOR_MS = 10_000
const PROMISED_MS = 1_000
/** The most that a writer may wait for a lock of the retention. */
const WAIT_MS = 100
const LOOK_FOR_WAITS_EVERY_MS = 5
const DELETED_ONE_BY_ONE = 200_000
const BATCH = 2_000

interface Options {
  expired: number
  say: (line: string) => void
}

/** The removal of events that are older than a month, while others write. */
export async function benchRetention(
  serverUrl: string,
  { expired, say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const expiredSteps = Math.ceil(expired / STEP) + MORE_STEPS
  const databaseUrl = await keptDatabase(serverUrl, {
    name: 'docket_bench_retention',
    madeBy: '',
    fill: (pool) => fill(pool, expiredSteps, say),
    isUsable: async () => false,
    say,
  })
  return withDatabase(databaseUrl, async (database) => {
    const ctx = ctxOf(database, { kind: 'system', name: 'bench' })
    const { pool } = database
    const bytes = await bytesOf(pool)

    say(`${WRITERS} writers for ${WRITES_FOR_MS / 1_000} s, then as long with the retention in the middle`)
    const alone = await writesDuring(ctx, () => sleep(WRITES_FOR_MS))
    const before = await countEvents(pool)
    let drop: Dropped = { detached: 0, detachMs: 0, tookMs: 0, cpuMs: 0 }
    let waits: number[] = []
    const during = await writesDuring(ctx, async () => {
      await sleep(WRITES_FOR_MS / 2)
      const watch = watchWaits(pool)
      drop = await dropExpired(pool)
      waits = await watch.stop()
      await sleep(WRITES_FOR_MS / 2)
    })
    const dropped = before + during.length - (await countEvents(pool))

    say(`${DELETED_ONE_BY_ONE.toLocaleString('en')} events by DELETE`)
    const deletedMs = await deleteOneByOne(pool)
    return {
      databaseUrl,
      report: reportOf({
        expired,
        events: (expiredSteps + 1) * STEP,
        bytes,
        alone,
        during,
        drop,
        waits,
        dropped,
        deletedMs,
      }),
    }
  })
}

/**
 * Events that have expired and half a million that has not, in the partitions that the worker adds. As after a month, they are vacuumed and on disk.
 */
async function fill(pool: pg.Pool, expiredSteps: number, say: (line: string) => void): Promise<void> {
  for (let step = 0; step <= expiredSteps; step += 1) {
    say(`${((step + 1) * STEP).toLocaleString('en')} events`)
    await pool.query(
      `insert into event (event_id, seq, name, subject_type, subject_id, community_id, payload, state, created_at, releases_at)
       select n, n, 'v3.comment.didApprove', 'comment', md5(n::text), 'community-' || n % 100,
         jsonb_build_object('comments', jsonb_build_array(jsonb_build_object('commentId', md5(n::text), 'text', repeat('word ', 40)))),
         'released', at, at
       from generate_series($1::int, $2::int - 1) as n,
         cast(now() - make_interval(days => $3) + (n % ${STEP}) * interval '1 ms' as timestamptz(3)) as at`,
      [step * STEP, (step + 1) * STEP, step < expiredSteps ? 31 + expiredSteps - step : 1],
    )
    await pool.query(
      `select setval('event_event_id_seq', max(event_id)), keep_event_partitions('-infinity') from event`,
    )
  }
  await pool.query('vacuum (analyze) event')
  await pool.query('checkpoint')
}

/** With indexes. */
async function bytesOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits where inhparent = 'event'::regclass`,
  )
  return rows[0]?.bytes ?? 0
}

async function countEvents(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from event')
  return rows[0]?.count ?? 0
}

interface Dropped {
  /** Partitions, and the time in which they were detached one after the other, from when their events are gone. */
  detached: number
  detachMs: number
  /** Until they were dropped, too. */
  tookMs: number
  /** Of the processor, by the connection that did it. */
  cpuMs: number
}

/** What the worker's retention does until it comes to the rows that it deletes one by one. */
async function dropExpired(pool: Pool): Promise<Dropped> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const cpu = async () => (await readOwnCpuMs(rows[0]?.pid ?? 0)) ?? Number.NaN
    const [startedAt, cpuBefore] = [performance.now(), await cpu()]
    let [steps, detachMs, tookMs] = [0, 0, 0]
    while (await dropNext(client)) {
      steps += 1
      detachMs = tookMs
      tookMs = performance.now() - startedAt
    }
    // The last step drops what the others detached.
    return { detached: steps - 1, detachMs, tookMs, cpuMs: (await cpu()) - cpuBefore }
  } finally {
    client.release()
  }
}

async function dropNext(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ dropped: boolean }>(
    `select has_dropped as dropped from keep_event_partitions(now() - interval '30 days')`,
  )
  return rows[0]?.dropped ?? false
}

/** Samples how long others have been waiting for a lock of an event. */
function watchWaits(pool: Pool) {
  let isStopped = false
  const waits: number[] = []
  const watching = (async () => {
    while (!isStopped) {
      const { rows } = await pool.query<{ ms: number | null }>(
        `select max(extract(epoch from clock_timestamp() - l.waitstart) * 1000)::float8 as ms
         from pg_locks l join pg_stat_activity a using (pid) where not l.granted and l.locktype = 'relation' and a.query like '%stored_event%'`,
      )
      waits.push(rows[0]?.ms ?? 0)
      await sleep(LOOK_FOR_WAITS_EVERY_MS)
    }
  })()
  return {
    stop: async () => {
      isStopped = true
      await watching
      return sortDelays(waits)
    },
  }
}

/** How long each write took, sorted. */
async function writesDuring(ctx: Ctx, act: () => Promise<unknown>): Promise<number[]> {
  let isEnded = false
  const delays: number[] = []
  const write = async () => {
    while (!isEnded) {
      const startedAt = performance.now()
      await recordEvent(ctx, { name: 'channel.didBan', subjectType: 'channel', subjectId: 'c', payload: {} })
      delays.push(performance.now() - startedAt)
      await sleep(1)
    }
  }
  const writers = Array.from({ length: WRITERS }, write)
  await act().finally(() => {
    isEnded = true
  })
  await Promise.all(writers)
  return sortDelays(delays)
}

/** As before there were partitions. */
async function deleteOneByOne(pool: pg.Pool): Promise<number> {
  const startedAt = performance.now()
  for (let deleted = 0; deleted < DELETED_ONE_BY_ONE; deleted += BATCH)
    await pool.query(
      `delete from event where event_id in (
         select event_id from event where state <> 'held' and seq is not null order by created_at limit ${BATCH} for update skip locked)`,
    )
  return performance.now() - startedAt
}

interface Measured {
  expired: number
  /** All of them. */
  events: number
  bytes: number
  alone: number[]
  during: number[]
  drop: Dropped
  waits: number[]
  dropped: number
  deletedMs: number
}

function reportOf({ expired, events, bytes, alone, during, drop, waits, dropped, deletedMs }: Measured): Report {
  const longestWait = delayAt(waits, 1)
  const deletedASecond = (DELETED_ONE_BY_ONE / deletedMs) * 1_000
  return {
    scenario: `retention, ${expired.toLocaleString('en')} events`,
    limits: [
      {
        what: 'events dropped',
        measured: dropped.toLocaleString('en'),
        promised: `at least ${expired.toLocaleString('en')}`,
        isHeld: dropped >= expired,
      },
      {
        what: 'time until they were gone for everybody, by the clock',
        measured: `${drop.detachMs.toFixed(0)} ms`,
        promised: `at most ${PROMISED_MS} ms`,
        isHeld: drop.detachMs <= PROMISED_MS,
      },
      {
        what: 'time until their files were gone too, of a processor',
        measured: `${drop.cpuMs} ms`,
        promised: `at most ${PROMISED_MS} ms`,
        isHeld: drop.cpuMs <= PROMISED_MS,
      },
      {
        what: 'the longest wait of a writer for a lock',
        measured: `${longestWait.toFixed(0)} ms`,
        promised: `at most ${WAIT_MS} ms`,
        isHeld: longestWait <= WAIT_MS,
      },
    ],
    tables: [
      {
        title: 'Writes of an event, in milliseconds',
        note: `${WRITERS} writers for ${WRITES_FOR_MS / 1_000} s each: ${alone.length.toLocaleString('en')} and ${during.length.toLocaleString('en')} writes. In the middle of the second run the retention detaches ${drop.detached} partitions, each in a transaction of its own, within ${drop.detachMs.toFixed(0)} ms, and has dropped them after ${drop.tookMs.toFixed(0)} ms, at a load average of ${(loadavg()[0] ?? 0).toFixed(1)}. Meanwhile waits for locks were looked at ${waits.length.toLocaleString('en')} times.`,
        columns: ['', 'alone', 'with the retention'],
        rows: delayRows([alone, during], 1),
      },
      {
        title: 'Partitions and rows',
        note: `${events.toLocaleString('en')} events with a payload of 320 bytes. Deleting was measured on ${DELETED_ONE_BY_ONE.toLocaleString('en')} of those that are left, in batches of ${BATCH.toLocaleString('en')}, with nobody else writing, and without the vacuum that it needs afterwards.`,
        columns: ['', ''],
        rows: [
          ['bytes an event, with its indexes', (bytes / events).toFixed(0)],
          ['events deleted a second', Math.round(deletedASecond).toLocaleString('en')],
          ['time to delete as many as were dropped', `${Math.round(dropped / deletedASecond / 60)} min`],
        ],
      },
    ],
  }
}
