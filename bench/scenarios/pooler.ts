import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '#server/core/database/db-types.ts'
import { type Pooler, startPooler } from '#server/testing/pooler.ts'
import { benchDatabase } from '../data/bench-database.ts'
import { withDatabase } from '../data/bench-people.ts'
import { type HeldComment, takeHeldComments } from '../data/held-comments.ts'
import { NotGiven } from '../data/imported-database.ts'
import { delayLimit, delayRows, sortDelays } from '../measure/delays.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { Subscribers } from '../programs/live-subscribers.ts'
import { type Program, programOf, SECRET, startDocket } from '../programs/programs.ts'
import type { Report } from '../reports/results.ts'

const HELD = 10_000
const PROCESSES = 4
const SERVER_CONNECTIONS = 20
const DESKS = 40
const LEASES = 200
const TAKE_EVERY_MS = 50
const PROMISED = { readyMs: 30_000, leaseMs: 300 }
const SCENARIO = `pooler, ${PROCESSES} processes on ${SERVER_CONNECTIONS} connections`

interface Options {
  say: (line: string) => void
}

/** Four processes behind PgBouncer in transaction mode: how soon they are ready, and how soon a lease is seen on all of them. */
export async function benchPooler(
  serverUrl: string,
  { say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await benchDatabase(serverUrl, HELD, say)
  const pooler = await startPooler(serverUrl, [`default_pool_size = ${SERVER_CONNECTIONS}`])
  if (pooler === undefined) throw new NotGiven(SCENARIO, 'needs pgbouncer')
  try {
    return await withDatabase(databaseUrl, async (database) => {
      const [taker = '', ...watchers] = await makeDeskSessions(database, { count: DESKS + 1, secret: SECRET })
      const items = await takeHeldComments(database.pool, LEASES)
      try {
        return {
          databaseUrl,
          report: await measure({ pooler, databaseUrl, pool: database.pool, taker, watchers, items, say }),
        }
      } finally {
        await database.pool.query('delete from lease')
      }
    })
  } finally {
    await pooler.stop()
  }
}

interface Scene extends Options {
  pooler: Pooler
  databaseUrl: string
  /** Past the pooler. */
  pool: Pool
  /** Sessions of one person who takes leases, and of others who see them. */
  taker: string
  watchers: string[]
  items: HeldComment[]
}

async function measure({ pooler, databaseUrl, pool, taker, watchers, items, say }: Scene): Promise<Report> {
  say(`${PROCESSES} processes start at once`)
  const startedAt = performance.now()
  const started = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const program = await startDocket(pooler.through(databaseUrl), { directUrl: databaseUrl })
      return { program, readyMs: performance.now() - startedAt }
    }),
  )
  const programs = started.map(({ program }) => program)
  try {
    const delays = await watchLeases(programs, { taker, watchers, items, say })
    const idleLocks = await countIdleLocks(pool)
    return reportOf({
      readyMs: Math.max(...started.map(({ readyMs }) => readyMs)),
      delays,
      items: items.length,
      idleLocks,
    })
  } finally {
    await Promise.all(programs.map((program) => program.stop()))
  }
}

/** How long after each lease was asked for each watcher learned of it, in milliseconds. */
async function watchLeases(
  programs: Program[],
  { taker, watchers, items, say }: Pick<Scene, 'taker' | 'watchers' | 'items' | 'say'>,
): Promise<number[]> {
  const subscribers = new Subscribers()
  await Promise.all(watchers.map((cookie, index) => subscribers.open(programOf(programs, index), cookie)))
  await subscribers.until(() => subscribers.ready === watchers.length)
  say(`${items.length} leases, one each ${TAKE_EVERY_MS} ms`)
  for (const [index, { commentId }] of items.entries()) {
    await subscribers.takeLease(programOf(programs, index), { commentId, cookie: taker })
    await sleep(TAKE_EVERY_MS)
  }
  await subscribers
    .until(() => subscribers.delays.length >= watchers.length * items.length)
    .catch(() => say('Some leases were not seen'))
  subscribers.close()
  return subscribers.delays
}

/** Advisory locks that a connection holds while it does nothing: the pool would lose track of them. */
async function countIdleLocks(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and a.datname = current_database() and a.state = 'idle'`,
  )
  return rows[0]?.count ?? Number.NaN
}

interface Measured {
  readyMs: number
  delays: number[]
  items: number
  idleLocks: number
}

function reportOf({ readyMs, delays, items, idleLocks }: Measured): Report {
  const sorted = sortDelays(delays)
  const expected = DESKS * items
  return {
    scenario: SCENARIO,
    limits: [
      {
        what: 'until all processes are ready',
        measured: `${(readyMs / 1_000).toFixed(1)} s`,
        promised: `at most ${PROMISED.readyMs / 1_000} s`,
        isHeld: readyMs <= PROMISED.readyMs,
      },
      delayLimit('from taking a lease to the desks that see it', sorted, { promisedMs: PROMISED.leaseMs, digits: 0 }),
      {
        what: 'leases seen',
        measured: delays.length.toLocaleString('en'),
        promised: `${expected.toLocaleString('en')}, each once`,
        isHeld: delays.length === expected,
      },
      { what: 'advisory locks left idle', measured: String(idleLocks), promised: 'none', isHeld: idleLocks === 0 },
    ],
    tables: [
      {
        title: 'From taking a lease to the desks that see it',
        note: `PgBouncer in transaction mode. ${DESKS} people, each with a stream of their own, a quarter on each process; one more opens ${items} items, one every ${TAKE_EVERY_MS} ms, in turn on all processes. Counted from before the call.`,
        columns: ['', 'ms'],
        rows: delayRows([sorted], 0),
      },
    ],
  }
}
