import { databaseFailureOf } from '#server/core/database/database-failures.ts'
import type { Database } from '#server/core/database/open-database.ts'

/** Waits for the server to answer for at most `limitMs`; then fails with a one-line message. */
export async function waitForDatabase({ pool }: Database, limitMs: number): Promise<void> {
  await retryWhileUnavailable(limitMs, () => pool.query('select 1'))
}

/** Retries `act` while the database is unavailable, for at most `limitMs`; then fails with a one-line message. */
export async function retryWhileUnavailable<Result>(limitMs: number, act: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + limitMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (databaseFailureOf(error) !== 'away') throw error
      if (performance.now() > deadline) {
        throw new Error(`The database did not answer within ${limitMs / 1000} s: ${messageOf(error)}`, { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}

/** Node tries every address of a name and fails with all their errors at once. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
