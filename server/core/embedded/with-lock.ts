import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 15 * 60_000
const RETRY_MS = 50
const SQLITE_BUSY = 5

/**
 * Runs `work` while no other process or caller holds the lock at `path`. The kernel releases SQLite's file lock when its process ends for
 * any reason, so there are no stale locks.
 */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await acquire(path)
  try {
    return await work()
  } finally {
    lock.close()
  }
}

async function acquire(path: string): Promise<DatabaseSync> {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    const lock = tryToAcquire(path)
    if (lock) return lock
    await sleep(RETRY_MS)
  }
  throw new Error(
    `Another process has been starting or stopping the embedded database for a long time; it holds ${path}.`,
  )
}

function tryToAcquire(path: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw new Error(`The lock file ${path} cannot be used: ${String(error)}`, { cause: error })
  }
}
