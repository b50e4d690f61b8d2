import { expect } from 'vitest'
import type { Database } from '#server/core/database/open-database.ts'

/** Resolves once a statement in this database waits for a row lock of another transaction. */
export async function waitForLockWaiter({ pool }: Database): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect
    .poll(async () => (await pool.query(waiting)).rowCount, { interval: 5, timeout: 15_000 })
    .toBeGreaterThan(0)
}
