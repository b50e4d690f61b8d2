import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Pool } from 'pg'
import { findPostmaster, type Postmaster } from './postmaster.ts'
import { openSession } from './session.ts'

const PATIENCE_MS = 60_000
const RETRY_MS = 100

/** SQLSTATE of a server that is shutting down, or that restarts after one of its processes crashed. */
const ADMIN_SHUTDOWN = '57P01'
const CANNOT_CONNECT_NOW = '57P03'
const INVALID_PASSWORD = '28P01'

export interface Joined {
  postmaster: Postmaster
  session: Pool
}

/**
 * A session on the server that runs on this data folder; undefined if none runs. A server that was just asked to stop looks ready until it
 * reports otherwise, so it is looked up again after each failed attempt.
 */
export async function joinServer(dataFolder: string, urlAt: (port: number) => string): Promise<Joined | undefined> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const postmaster = await findPostmaster(dataFolder)
    if (!postmaster) return undefined
    try {
      return { postmaster, session: await openSession(urlAt(postmaster.port)) }
    } catch (error) {
      if (!isPassing(error) || Date.now() > deadline) {
        throw new Error(`Cannot connect to the embedded database: ${reasonOf(error)}.`, { cause: error })
      }
    }
    await sleep(RETRY_MS)
  }
}

/** A rejected or broken connection, unlike an answer of the server, does not predict the next attempt. */
function isPassing(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.code === ADMIN_SHUTDOWN || error.code === CANNOT_CONNECT_NOW
}

function reasonOf(error: unknown): string {
  if (error instanceof DatabaseError && error.code === INVALID_PASSWORD) {
    return 'the password kept beside it is not the one it was made with'
  }
  return error instanceof Error ? error.message : String(error)
}
