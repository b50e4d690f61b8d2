import { readSettings } from '#server/core/env.ts'
import { startDocket } from '#server/start.ts'

try {
  const docket = await startDocket(readSettings(process.env), { isProduction: process.env.NODE_ENV === 'production' })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      // A second signal, or a stop that hangs, exits at once.
      process.once(signal, () => process.exit(1))
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
