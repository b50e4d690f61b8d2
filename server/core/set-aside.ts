import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable, mayBeOfRows } from '#server/core/database/database-failures.ts'
import { type Sql, sql } from '#server/core/db.ts'

/** How long a row is left out after it failed once; twice as long after each further failure. */
const LEFT_OUT_MS = 60_000
const LEFT_OUT_AT_MOST_MS = 3_600_000

/** Which rows a batch works on. */
export interface Batch {
  /** Whether the row of this id is one of them: part of the condition that finds them. */
  isTaken(id: Sql): Sql
  /** The ids of the rows that were found, before anything is done with them. */
  take(ids: string[]): void
}

/** The rows that one task of this process leaves out, as they made it throw. */
export interface SetAside {
  /**
   * Finds rows and works on them; returns how many were found. If that fails, it is done again with each half of them, down to the row that
   * fails alone: this one is set aside and named in the log, the first time. `work` keeps nothing of a batch that fails, or doesn't find
   * again what it has done. Throws for a failure before rows are found, and if the database is unavailable, which is no fault of a row.
   */
  workBatch(ctx: Ctx, work: (batch: Batch) => Promise<void>): Promise<number>
  /** Ids of the rows that failed, also those due again. */
  failed(): string[]
}

interface Failed {
  failures: number
  leftOutUntil: number
}

const failedByTask = new Map<string, Map<string, Failed>>()

/** For a task that works on rows: without it, one row that always fails would hold up every other. Other processes try it too. */
export function createSetAside(task: string): SetAside {
  const failed = new Map<string, Failed>()
  failedByTask.set(task, failed)

  function setAside(ctx: Ctx, id: string, err: unknown): void {
    const failures = (failed.get(id)?.failures ?? 0) + 1
    const leftOutMs = Math.min(LEFT_OUT_MS * 2 ** (failures - 1), LEFT_OUT_AT_MOST_MS)
    failed.set(id, { failures, leftOutUntil: ctx.now().getTime() + leftOutMs })
    if (failures === 1) ctx.log.error({ err, id }, `${task}: a row failed and is set aside; it is tried again later`)
  }

  function leftOut(ctx: Ctx): string[] {
    const now = ctx.now().getTime()
    // What was not tried again for so long is gone.
    for (const [id, { leftOutUntil }] of failed) if (leftOutUntil + LEFT_OUT_AT_MOST_MS < now) failed.delete(id)
    return [...failed].filter(([, { leftOutUntil }]) => leftOutUntil > now).map(([id]) => id)
  }

  async function workOn(ctx: Ctx, work: (batch: Batch) => Promise<void>, isTaken: Batch['isTaken']): Promise<number> {
    let taken: string[] = []
    try {
      await work({ isTaken, take: (ids) => (taken = ids) })
      for (const id of taken) failed.delete(id)
    } catch (error) {
      if (taken.length === 0 || !mayBeOfRow(error)) throw error
      await narrow([...new Set(taken)], error)
    }
    return taken.length

    async function narrow(ids: string[], error: unknown): Promise<void> {
      const [only] = ids
      if (only !== undefined && ids.length === 1) return setAside(ctx, only, error)
      for (const half of halvesOf(ids)) await workOn(ctx, work, (id) => isAmong(id, half))
    }
  }

  return {
    workBatch: (ctx, work) => {
      const except = leftOut(ctx)
      return workOn(ctx, work, (id) => sql`not ${isAmong(id, except)}`)
    },
    failed: () => [...failed.keys()],
  }
}

const isAmong = (id: Sql, ids: string[]) => sql`(${id} = any(${ids}::text[]))`

const mayBeOfRow = (error: unknown) => !isDatabaseUnavailable(error) || mayBeOfRows(error)

function halvesOf(ids: string[]): string[][] {
  const middle = ids.length >> 1
  return [ids.slice(0, middle), ids.slice(middle)]
}

/** The ids of the rows that each task of this process has set aside. */
export function rowsSetAside(): Map<string, string[]> {
  return new Map([...failedByTask].map(([task, failed]) => [task, [...failed.keys()]]))
}
