import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Db } from '#server/core/database/db-types.ts'
import { hasReached, type Position } from '#server/core/replicas/position.ts'

/** How long the first statement may wait, for a connection and for the replica to catch up. */
const OPENS_WITHIN_MS = 250
const CHECKS_AGAIN_AFTER_MS = 5
const CLOSES_WITHIN_MS = 5_000
/** Statements that follow must run on the server whose position was checked, also behind a pooler. */
const BEGIN = 'begin isolation level read committed, read only'

/** Ends a read on a replica, which is then done on the primary; never reaches a caller. */
export class ReplicaIsUnavailable extends Error {
  /** Whether it answered, but lacked what was committed before. */
  readonly isBehind: boolean

  constructor(message: string, { isBehind = false } = {}) {
    super(message)
    this.isBehind = isBehind
  }
}

/** One read on a replica. */
export interface ReplicaSession {
  /** Connects with the first statement, and sends it once the replica has everything committed before. */
  db: Db
  /** Rejects if the read is not waited for any longer. */
  broken: Promise<never>
  break(error: Error): void
  end(): void
}

export function openSession(pool: pg.Pool, askPosition: () => Promise<Position>): ReplicaSession {
  const broken = Promise.withResolvers<never>()
  // It may break when nobody waits for it.
  broken.promise.catch(() => {})
  let opening: Promise<pg.PoolClient> | undefined
  let isOver = false
  let isBehind = false
  let breakage: Error | undefined

  async function open(): Promise<pg.PoolClient> {
    const asked = askPosition()
    // Awaited below, once there is a connection.
    asked.catch(() => {})
    const client = await pool.connect()
    try {
      const position = await asked
      const db: Db = { query: (statement) => client.query(statement) }
      let [, isThere] = await Promise.all([client.query(BEGIN), hasReached(db, position)])
      while (!isThere) {
        isBehind = true
        if (isOver) throw new ReplicaIsUnavailable('the read is over')
        await sleep(CHECKS_AGAIN_AFTER_MS)
        isThere = await hasReached(db, position)
      }
      return client
    } catch (error) {
      client.release(error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }

  async function openInTime(): Promise<pg.PoolClient> {
    const client = open()
    const timer = setTimeout(() => {
      broken.reject(new ReplicaIsUnavailable('the replica was not there in time', { isBehind }))
    }, OPENS_WITHIN_MS)
    return client.finally(() => clearTimeout(timer))
  }

  return {
    db: {
      query: async (statement) => {
        opening ??= openInTime()
        const client = await opening
        if (isOver) throw new ReplicaIsUnavailable('the read is over')
        return client.query(statement)
      },
    },
    broken: broken.promise,
    break: (error) => {
      breakage = error
      broken.reject(error)
    },
    end: () => {
      isOver = true
      // One that has failed in opening is closed already.
      void opening?.then((client) => close(client, breakage), ignore)
    },
  }
}

function ignore(): void {}

/** A connection that may not answer is not used again. */
async function close(client: pg.PoolClient, breakage: Error | undefined): Promise<void> {
  if (breakage !== undefined) return client.release(breakage)
  const end = { text: 'rollback', query_timeout: CLOSES_WITHIN_MS }
  await client.query(end).then(
    () => client.release(),
    (error) => client.release(error),
  )
}
