import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '#server/testing/free-port.ts'
import { waitUntil } from '#server/testing/wait-until.ts'
import packageJson from '../../package.json' with { type: 'json' }

export interface Program {
  origin: string
  /** Absent for the program of another checkout that is older than this. */
  pid?: number | undefined
  stop(): Promise<void>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What `npm start` gives Node.js: its environment, its options and the program. */
const WORDS = packageJson.scripts.start.split(' ')
const ENVIRONMENT = Object.fromEntries(WORDS.slice(0, WORDS.indexOf('node')).map((word) => word.split('=')))
const START = WORDS.slice(WORDS.indexOf('node') + 1)
/** Of this run alone: the head of the log of an earlier database would stop the sealing of another one with the same address. */
const HOME = mkdtempSync(path.join(tmpdir(), 'docket-bench-'))
export const SECRET = 'guards nothing: these databases are for measuring alone'

/** A process that outlives the benchmark would slow down the next run. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill()
  rmSync(HOME, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

interface StartOptions {
  withPages?: boolean
}

/** Runs the program during `work`. */
export async function withDocket<Result>(
  databaseUrl: string,
  work: (docket: Program) => Promise<Result>,
  options: StartOptions = {},
): Promise<Result> {
  const docket = await startDocket(databaseUrl, options)
  try {
    return await work(docket)
  } finally {
    await docket.stop()
  }
}

/** Starts the program in production mode, without its pages unless needed. */
export async function startDocket(databaseUrl: string, { withPages = false }: StartOptions = {}): Promise<Program> {
  if (withPages) buildPages()
  const port = await freePort()
  const child = spawn(process.execPath, START, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...ENVIRONMENT,
      PORT: `${port}`,
      DATABASE_URL: databaseUrl,
      DOCKET_SECRET: SECRET,
      DOCKET_HOME: HOME,
      DOCKET_ROLES: withPages ? 'pages,api,worker' : 'api,worker',
      RATE_LIMITS: 'off',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      LOG_LEVEL: 'error',
    },
  })
  running.add(child)
  const origin = `http://127.0.0.1:${port}`
  await untilReady(child, `${origin}/readyz`)
  return { origin, pid: child.pid, stop: () => stop(child) }
}

function buildPages(): void {
  const { status } = spawnSync(process.execPath, ['tools/build-pages.ts'], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error('The pages could not be built')
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`)
    return (await fetch(url).catch(() => undefined))?.ok ?? false
  }
  try {
    await waitUntil('the server is ready', isReady)
  } catch (error) {
    await stop(child)
    throw error
  }
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
