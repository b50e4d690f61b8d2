import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'

/** How long a row is left out after it failed once; twice as long after each further failure. */
const LEFT_OUT_MS = 60_000
const LEFT_OUT_AT_MOST_MS = 3_600_000

/** The rows that one task of this process leaves out, as they made it throw. */
export interface SetAside {
  /** Their ids, to leave out of the next look. */
  ids(ctx: Ctx): string[]
  /**
   * Works on each row. One that throws is set aside and named in the log, the first time; the others are worked all the same. Throws only
   * for a database that is unavailable, which is no fault of a row.
   */
  workEach(ctx: Ctx, ids: readonly string[], work: (id: string) => Promise<void>): Promise<void>
}

interface Failed {
  failures: number
  leftOutUntil: number
}

const failedByTask = new Map<string, Map<string, Failed>>()

/** For a task that works on rows, oldest first: without it, one row that always fails would hold up every other. Other processes try it too. */
export function createSetAside(task: string): SetAside {
  const failed = new Map<string, Failed>()
  failedByTask.set(task, failed)

  function setAside(ctx: Ctx, id: string, err: unknown): void {
    const failures = (failed.get(id)?.failures ?? 0) + 1
    const leftOutMs = Math.min(LEFT_OUT_MS * 2 ** (failures - 1), LEFT_OUT_AT_MOST_MS)
    failed.set(id, { failures, leftOutUntil: ctx.now().getTime() + leftOutMs })
    if (failures === 1) ctx.log.error({ err, id }, `${task}: a row failed and is set aside; it is tried again later`)
  }

  return {
    ids: (ctx) => {
      const now = ctx.now().getTime()
      // What was not tried again for so long is gone.
      for (const [id, { leftOutUntil }] of failed) if (leftOutUntil + LEFT_OUT_AT_MOST_MS < now) failed.delete(id)
      return [...failed].filter(([, { leftOutUntil }]) => leftOutUntil > now).map(([id]) => id)
    },
    workEach: async (ctx, ids, work) => {
      for (const id of ids) {
        try {
          await work(id)
          failed.delete(id)
        } catch (error) {
          if (isDatabaseUnavailable(error)) throw error
          setAside(ctx, id, error)
        }
      }
    },
  }
}

/** How many rows each task of this process has set aside. */
export function countSetAside(): [task: string, rows: number][] {
  return [...failedByTask].map(([task, failed]) => [task, failed.size])
}
