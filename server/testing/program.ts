import { type ChildProcess, spawn } from 'node:child_process'
import { TEST_SECRET } from '#server/testing/ctx.ts'
import { END_WITH_PARENT } from '#server/testing/end-with-parent.ts'
import { freePort } from '#server/testing/free-port.ts'
import { waitUntil } from '#server/testing/wait-until.ts'
import { whenOver } from '#server/testing/when-over.ts'

/** Halves the time of a start: TypeScript is stripped and compiled once, not in every process. */
const COMPILE_CACHE = '.docket/test/compile-cache'

export interface Program {
  process: ChildProcess
  url: string
  /** Its output so far. */
  output(): string
  /** How it ended: the exit code, or the signal. */
  ended: Promise<number | NodeJS.Signals | null>
}

/** Runs the program itself, as a process of its own; stopped at the end of the test that runs it, or of the file, or with this process. */
export async function runProgram(
  environment: Record<string, string>,
  file = 'server/main.ts',
  args: string[] = [],
): Promise<Program> {
  const starting = new AbortController()
  whenOver(() => starting.abort())
  const port = environment.PORT ?? String(await freePort())
  starting.signal.throwIfAborted()
  const child = start(port, environment, [file, ...args])
  starting.signal.addEventListener('abort', () => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  return {
    process: child,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code))),
  }
}

function start(port: string, environment: Record<string, string>, command: string[]) {
  return spawn(process.execPath, [...END_WITH_PARENT, ...command], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DOCKET_SECRET: TEST_SECRET,
      DOCKET_HOME: '.docket/test/home',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      DOCKET_ROLES: 'api,worker',
      PORT: port,
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
}

/** Waits until it reports that it is ready; fails with its output if it exits first. */
export async function untilReady(program: Program): Promise<void> {
  let hasEnded = false
  void program.ended.then(() => {
    hasEnded = true
  })
  await waitUntil('the program is ready', async () => {
    const answer = await fetch(`${program.url}/readyz`).catch(() => undefined)
    if (hasEnded) throw new Error(`ended before it was ready: ${program.output()}`)
    return answer?.ok ?? false
  })
}
