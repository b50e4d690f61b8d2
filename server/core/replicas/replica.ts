import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Pool } from '#server/core/database/db-types.ts'
import { openPool } from '#server/core/database/open-database.ts'
import { nameStatementsIfKept, verifySettings } from '#server/core/database/pooler.ts'
import type { Logger } from '#server/core/log.ts'
import { type Finding, healthAfter, isLost, UNKNOWN } from '#server/core/replicas/health.ts'
import { type Position, readProgress } from '#server/core/replicas/position.ts'
import { openSession, ReplicaIsUnavailable, type ReplicaSession } from '#server/core/replicas/session.ts'

const LOOKS_EVERY_MS = 250
const ANSWERS_WITHIN_MS = 500

export interface ReplicaState {
  /** Host and port. */
  name: string
  isUsable: boolean
  lagBytes: number
  lagSeconds: number
}

export interface Replica {
  state(): ReplicaState
  /** Throws what `act` throws, and ReplicaIsUnavailable. */
  read<Result>(act: (db: Db) => Promise<Result>): Promise<Result>
  /** For a read that found out before the next look. */
  note(finding: Finding): void
  close(): Promise<void>
}

export interface ReplicaOptions {
  url: string
  isPooled: boolean
  connections: number
  keptConnections: number
  /** The primary's position, asked for after the call. */
  askPosition: () => Promise<Position>
  log: Logger
}

/** One replica, looked at four times a second. */
export function openReplica({ url, askPosition, log, isPooled, ...size }: ReplicaOptions): Replica {
  const name = new URL(url).host
  const onError = (error: Error) => log.debug({ err: error, replica: name }, 'connection to the replica lost')
  const shared = { url, isPooled, onError, connectTimeoutMs: ANSWERS_WITHIN_MS }
  const { pool, nameStatements } = openPool({ ...shared, ...size })
  // Of its own, as reads may use all others.
  const watcher: Pool = Object.assign(openPool({ ...shared, connections: 1 }).pool, isPooled && { directUrl: url })
  const sessions = new Set<ReplicaSession>()
  const closing = new AbortController()
  let health = UNKNOWN
  let lag = { lagBytes: 0, lagSeconds: 0 }
  let isSuitable = false
  let latest: Position | undefined
  let lastProblem: string | undefined

  function note(finding: Finding, problem?: string): void {
    const wasUsable = health.isUsable
    health = healthAfter(health, finding)
    if (health.isUsable) {
      lastProblem = undefined
      if (!wasUsable) log.info({ replica: name }, 'reads run on the replica')
    } else if (problem !== undefined && problem !== lastProblem) {
      lastProblem = problem
      log.warn({ replica: name, problem }, 'no reads run on the replica')
    }
    if (isLost(health)) for (const session of sessions) session.break(new ReplicaIsUnavailable('the replica is lost'))
  }

  async function look(position: Position): Promise<void> {
    const db: Db = {
      query: (statement) => {
        const inTime = { ...statement, query_timeout: ANSWERS_WITHIN_MS }
        return watcher.query(inTime)
      },
    }
    try {
      const { isFollowing, ...progress } = await readProgress(db, position)
      lag = progress
      if (!isFollowing) return note('behind', 'it does not follow the primary')
      if (!progress.hasReached) return note('behind', 'it lags')
      if (!isSuitable) await prepare()
      note('caught-up')
    } catch (error) {
      note('failed', error instanceof Error ? error.message : String(error))
    }
  }

  /** As a start does for the primary. */
  async function prepare(): Promise<void> {
    await verifySettings(watcher)
    if (isPooled) await nameStatementsIfKept({ nameStatements }, url)
    isSuitable = true
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      // A replica has had until now to get to where the primary was at the look before.
      if (latest !== undefined) await look(latest)
      void askPosition().then(
        (position) => {
          latest = position
        },
        () => {},
      )
      await sleep(LOOKS_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  const watching = watch()

  return {
    state: () => ({ name, isUsable: health.isUsable, lagBytes: lag.lagBytes, lagSeconds: lag.lagSeconds }),
    note,
    read: async (act) => {
      const session = openSession(pool, askPosition)
      sessions.add(session)
      try {
        return await Promise.race([act(session.db), session.broken])
      } finally {
        sessions.delete(session)
        session.end()
      }
    },
    close: async () => {
      closing.abort()
      await watching
      await Promise.all([pool.end(), watcher.end()])
    },
  }
}
