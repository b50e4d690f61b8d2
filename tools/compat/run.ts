import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Setting } from './drive.ts'
import { installClient } from './install-client.ts'
import { startDocket } from './start-docket.ts'

// Child processes end with this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** `npm run compat`: checks with the public client itself whether apps built for it work with this server. */
try {
  const folder = await installClient(console.log)
  const docket = await startDocket()
  try {
    const { apiKey } = await docket.command('key', 'create', '--name', 'compat')
    const { accessToken } = await docket.command('token', 'create', '--admin', '--expires', '1h')
    process.exitCode = await drive({
      folder,
      url: docket.url,
      apiKey: String(apiKey),
      adminToken: String(accessToken),
    })
  } finally {
    await docket.stop()
  }
} catch (error) {
  console.error(`compat: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

/** The client runs in its own process: it keeps timers alive and patches globals. */
async function drive(setting: Setting): Promise<number> {
  const client = fork(fileURLToPath(new URL('drive.ts', import.meta.url)))
  process.once('exit', () => client.kill())
  client.send(setting)
  const [code] = await once(client, 'exit')
  return code ?? 1
}
