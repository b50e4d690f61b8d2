import { once } from 'node:events'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { DatabaseClient } from '#server/core/database/database-client.ts'

/**
 * A process that reads 100 MB of rows and holds none, from the database and with the options that it is sent. Sends back how often its new
 * and its old objects were collected during that.
 */
const ROWS = { text: `select repeat('x', 1000) from generate_series(1, 100)`, rowMode: 'array' as const }
const TIMES = 1_000

const [{ url, options }] = await once(process, 'message')
const client = new DatabaseClient({ connectionString: url })
await client.connect()
const readAll = async () => {
  for (let time = 0; time < TIMES; time += 1) await client.query({ ...ROWS, ...options })
}
// Compiles what it needs, which stays.
await readAll()
const collected = { ofNew: 0, ofOld: 0 }
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { detail } = entry as PerformanceEntry & { detail: { kind: number } }
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MINOR) collected.ofNew += 1
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collected.ofOld += 1
  }
})
observer.observe({ entryTypes: ['gc'] })
await readAll()
await setImmediate()
await client.end()
process.send?.(collected)
process.disconnect()
