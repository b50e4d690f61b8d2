import type { Ctx } from '#server/core/ctx.ts'
import type { PrismaClient } from '#server/core/prisma/client.ts'

/** A smaller difference is ignored, so that a time is read back exactly as it was written. */
const TOLERATED_MS = 500

/**
 * The client for a library that reads the clock of its machine: times it writes are stored in the database's time, and times it reads are
 * converted to its own. So its sessions and codes end at the same moment for every process.
 */
export function inDatabaseTime(client: Pick<PrismaClient, '$extends'>, now: Ctx['now']) {
  let aheadMs = 0
  function databaseAheadMs(): number {
    const measured = now().getTime() - Date.now()
    if (Math.abs(measured - aheadMs) > TOLERATED_MS) aheadMs = Math.abs(measured) > TOLERATED_MS ? measured : 0
    return aheadMs
  }
  return client.$extends({
    query: {
      $allModels: {
        async $allOperations({ args, query: run }) {
          const byMs = databaseAheadMs()
          return shiftDates(await run(shiftDates(args, byMs)), -byMs)
        },
      },
    },
  })
}

/** A copy of the value with every date in it shifted. */
function shiftDates<Value>(value: Value, byMs: number): Value {
  return byMs === 0 ? value : (shift(value, byMs) as Value)
}

function shift(value: unknown, byMs: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() + byMs)
  if (Array.isArray(value)) return value.map((entry) => shift(entry, byMs))
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shift(entry, byMs)]))
}
