import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const START_LIMIT_MS = 120_000

export interface Docket {
  url: string
  /** Runs one of the program's own commands, and returns the object it prints last. */
  command(...words: string[]): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

/** The program as users start it, without its pages: with its own port, home folder and database, all removed when it stops. */
export async function startDocket(): Promise<Docket> {
  const home = await mkdtemp(path.join(tmpdir(), 'docket-compat-'))
  const port = await freePort()
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: `${port}`,
    DATABASE_URL: '',
    DOCKET_HOME: home,
    DOCKET_ROLES: 'api,worker',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
  }
  const server = spawn(process.execPath, ['server/main.ts'], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const end = () => server.kill()
  process.once('exit', end)
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    process.removeListener('exit', end)
    if (server.exitCode === null && server.signalCode === null) {
      const exited = once(server, 'exit')
      server.kill('SIGTERM')
      await exited
    }
    await rm(home, { recursive: true, force: true })
  }
  const deadline = Date.now() + START_LIMIT_MS
  while (!(await isReady(url))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error('The server did not start')
    }
    await sleep(100)
  }
  return { url, stop, command: (...words) => runCommand(words, env) }
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function runCommand(words: string[], env: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  const command = spawn(process.execPath, ['server/cli/docket.ts', ...words, '--json'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  command.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(command, 'close')
  if (code !== 0) throw new Error(`docket ${words.join(' ')} exited with ${code}`)
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')
}
