import pg from 'pg'
import { DatabaseClient } from '#server/core/database/database-client.ts'
import type { Db, Pool } from '#server/core/database/db-types.ts'
import { UNNAMED } from '#server/core/database/statement-names.ts'

/** One process rarely keeps two backends busy: its own share of a short read takes longer than theirs. */
export const SHARED = 2
/** Each write waits until the one before it on its connection is on disk: fewer connections would give a slow disk little to do at once. */
const SHARED_BY_WRITES = 5
/**
 * A connection whose next answer takes longer is given nothing more: what it is sent would wait for that too. Counted again if this process was
 * too busy to send or to read at the end of that time.
 */
const STUCK_AFTER_MS = 25
/** A process that notices the end of that time later than this was too busy. */
const BUSY_FOR_MS = 3

interface Connection {
  client: Promise<pg.PoolClient>
  underWay: number
  /** When it last answered, or was opened. */
  movedAt: number
  /** Has not answered for long. */
  isStuck: boolean
  /** Ends when it has not answered for so long; absent until it is open. */
  silence?: NodeJS.Timeout
  /** Its server has gone, or has ended it. */
  isBroken: boolean
}

/**
 * Runs short statements of many callers on few connections, several at once on each, in the order they came. A backend that has its next
 * statement already doesn't sleep in between, and its caches stay warm; statements that come together are sent together. Each has its own
 * implicit transaction, so that none sees or suffers from an error of another. A connection is taken for the first statement and given back
 * after the last.
 */
export class SharedConnections implements Db {
  readonly pool: Pool
  readonly #from: pg.Pool
  readonly #atMost: number
  readonly #connections: Connection[] = []

  /** Takes `atMost` connections from one pool; a statement that none of them takes runs on the other. */
  constructor(pool: Pool, { from, atMost }: { from: pg.Pool; atMost: number }) {
    this.pool = pool
    this.#from = from
    this.#atMost = atMost
  }

  async query(statement: pg.QueryArrayConfig<unknown[]>): Promise<pg.QueryArrayResult<unknown[]>> {
    // Planned for its values, it may take long.
    const connection = statement.name === UNNAMED ? undefined : this.#choose()
    if (connection === undefined) return this.pool.query(statement)
    connection.underWay += 1
    try {
      const client = await connection.client
      if (client instanceof DatabaseClient) client.gather()
      return await client.query(statement)
    } catch (error) {
      if (!isOfStatement(error)) connection.isBroken = true
      throw error
    } finally {
      connection.underWay -= 1
      restartSilence(connection)
      if (connection.underWay === 0) this.#giveBack(connection)
    }
  }

  /** The one with the least to do; undefined if none takes more. */
  #choose(): Connection | undefined {
    if (this.#connections.length < this.#atMost) return this.#open()
    const usable = this.#connections.filter(({ isBroken, isStuck }) => !isBroken && !isStuck)
    return usable.toSorted((one, other) => one.underWay - other.underWay)[0]
  }

  #open(): Connection {
    const client = this.#from.connect()
    const connection: Connection = { client, underWay: 0, movedAt: 0, isStuck: false, isBroken: false }
    client.then(
      () => {
        connection.silence = setTimeout(() => endSilence(connection), STUCK_AFTER_MS)
        restartSilence(connection)
      },
      () => {},
    )
    this.#connections.push(connection)
    return connection
  }

  #giveBack(connection: Connection): void {
    this.#connections.splice(this.#connections.indexOf(connection), 1)
    clearTimeout(connection.silence)
    // One that couldn't be opened has nothing to give back.
    connection.client.then(
      (client) => client.release(connection.isBroken),
      () => {},
    )
  }
}

function restartSilence(connection: Connection): void {
  connection.movedAt = performance.now()
  connection.isStuck = false
  connection.silence?.refresh()
}

function endSilence(connection: Connection): void {
  const { movedAt } = connection
  const lateMs = performance.now() - movedAt - STUCK_AFTER_MS
  if (lateMs > BUSY_FOR_MS) {
    restartSilence(connection)
    return
  }
  // What has arrived by then is read before.
  setImmediate(() => {
    connection.isStuck = connection.movedAt === movedAt
  })
}

/** Whether PostgreSQL rejected one statement, and goes on. */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}

type SharingOf = (pool: Pool) => SharedConnections

/** For reads: connections that the pool has for them, where they keep the plans of all reads, or else its own. */
export const sharedByReads = oncePerPool(
  (pool) => new SharedConnections(pool, { from: pool.reads ?? pool, atMost: SHARED }),
)

/** For writes that hardly ever wait for a lock: those behind would wait for it too. */
export const sharedByWrites = oncePerPool(
  (pool) => new SharedConnections(pool, { from: pool, atMost: SHARED_BY_WRITES }),
)

function oncePerPool(make: SharingOf): SharingOf {
  const made = new WeakMap<Pool, SharedConnections>()
  return (pool) => {
    const shared = made.get(pool) ?? make(pool)
    made.set(pool, shared)
    return shared
  }
}
