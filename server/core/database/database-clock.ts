import type { Pool } from '#server/core/database/db-types.ts'
import type { Logger } from '#server/core/log.ts'

const SYNC_EVERY_MS = 10_000
/** The shortest of several round trips is the most accurate: the others were delayed. */
const SAMPLES = 5
/** Corrections up to this size never set the time back: it pauses until the real time has caught up. */
const STEP_MS = 1_000
/** Minimum time between two syncs triggered by an event, such as a new connection. */
const SYNC_AT_MOST_EVERY_MS = 1_000

/** The time of the database, which all processes share, whatever the clock of their own machine says. */
export interface DatabaseClock {
  now(): Date
  stop(): Promise<void>
}

/** The machine's two clocks: `wall` can be wrong or be set, `steady` only counts up. Milliseconds; replaced in tests. */
export interface MachineClock {
  wall(): number
  steady(): number
}

const MACHINE: MachineClock = { wall: () => Date.now(), steady: () => performance.now() }

/**
 * Reads the database's time, every ten seconds and after new connections; between readings the machine's steady timer advances it. A
 * reading moves it only as far as the reading proves it wrong, which is half a round trip.
 */
export async function startDatabaseClock(
  pool: Pool,
  log: Pick<Logger, 'warn'>,
  machine: MachineClock = MACHINE,
): Promise<DatabaseClock> {
  let { offsetMs } = await measure(pool, machine)
  let latest = Number.NEGATIVE_INFINITY
  let syncedAt = { wall: machine.wall(), steady: machine.steady() }
  let syncing: Promise<void> | undefined

  function adopt({ offsetMs: measured, errorMs }: Measurement): void {
    const wrongByMs = measured - offsetMs
    const provenMs = Math.sign(wrongByMs) * Math.max(0, Math.abs(wrongByMs) - errorMs)
    offsetMs += provenMs
    if (Math.abs(provenMs) <= STEP_MS) return
    latest = Number.NEGATIVE_INFINITY
    log.warn(
      { byMs: Math.round(provenMs) },
      "the database's clock changed, or this machine slept; the time was adjusted",
    )
  }

  function sync(): Promise<void> {
    syncing ??= measure(pool, machine)
      // While the database is unavailable, the steady timer advances the time.
      .then(adopt, () => undefined)
      .finally(() => {
        syncedAt = { wall: machine.wall(), steady: machine.steady() }
        syncing = undefined
      })
    return syncing
  }

  function syncSoon(): void {
    if (machine.steady() - syncedAt.steady > SYNC_AT_MOST_EVERY_MS) void sync()
  }

  const timer = setInterval(sync, SYNC_EVERY_MS).unref()
  // The connection may lead to another server, with another clock.
  pool.on('connect', syncSoon)
  return {
    now: () => {
      const [wall, steady] = [machine.wall(), machine.steady()]
      // The steady timer stops while the machine sleeps; the wall clock shows the difference on waking.
      if (Math.abs(wall - syncedAt.wall - (steady - syncedAt.steady)) > STEP_MS) void sync()
      latest = Math.max(latest, steady + offsetMs)
      return new Date(latest)
    },
    stop: async () => {
      clearInterval(timer)
      pool.off('connect', syncSoon)
      await syncing
    },
  }
}

/** `offsetMs` is the database's time minus the steady timer's, accurate to within `errorMs`. */
interface Measurement {
  offsetMs: number
  errorMs: number
}

/**
 * Takes each sample through the pool, which handles a connection that breaks; an error on a client taken out of it would end the process.
 */
async function measure(pool: Pool, { steady }: MachineClock): Promise<Measurement> {
  let best: Measurement | undefined
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const sentAt = steady()
    const { rows } = await pool.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    const receivedAt = steady()
    const errorMs = (receivedAt - sentAt) / 2
    const offsetMs = Number(rows[0]?.ms) - (sentAt + receivedAt) / 2
    if (best === undefined || errorMs < best.errorMs) best = { offsetMs, errorMs }
  }
  if (best === undefined) throw new Error('no sample was taken')
  return best
}
