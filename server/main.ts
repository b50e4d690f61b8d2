import { readSettings } from '#server/core/env.ts'
import { startDocket } from '#server/start.ts'

/** Longer than any request may take. */
const STOPS_WITHIN_MS = 40_000

try {
  const settings = readSettings(process.env)
  const docket = await startDocket(settings, { isProduction: process.env.NODE_ENV === 'production' })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      // A second signal exits at once. What a database that says nothing still holds up after so long is not worth more waiting.
      process.once(signal, () => process.exit(1))
      setTimeout(() => process.exit(1), settings.DRAIN_SECONDS * 1_000 + STOPS_WITHIN_MS).unref()
      docket.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
} catch (error) {
  process.stderr.write(`docket: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
