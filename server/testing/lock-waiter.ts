import type { Database } from '#server/core/database/open-database.ts'
import { waitUntil } from '#server/testing/wait-until.ts'

/** Resolves once a statement in this database waits for a row lock of another transaction. */
export async function waitForLockWaiter({ pool }: Database): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil('a statement waits for a lock', async () => (await pool.query(waiting)).rowCount !== 0)
}
