import type { Database } from '#server/core/database/open-database.ts'
import { waitUntil } from '#server/testing/wait-until.ts'

/** Resolves once so many statements in this database wait for locks of other transactions. */
export async function waitForLockWaiter({ pool }: Database, count = 1): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil(
    `${count} statements wait for locks`,
    async () => ((await pool.query(waiting)).rowCount ?? 0) >= count,
  )
}
