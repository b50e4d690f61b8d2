import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** All checks a change must pass except those that need databases or browsers, slowest first. */
const STEPS = {
  // The native compiler takes a third of the time. TypeScript 6 is there for its API, which dependency-cruiser and Next use.
  types: 'next typegen && node node_modules/typescript-native/bin/tsc',
  'fast tests': 'vitest run --project fast',
  'unused code': 'knip',
  'who imports whom': 'depcruise --config .dependency-cruiser.mjs .',
  drift: 'npm run --silent drift',
  'format and lint': 'biome check --error-on-warnings',
}
const AT_ONCE = Math.min(2, availableParallelism())

const waiting = Object.entries(STEPS)
const failed: string[] = []
await Promise.all(Array.from({ length: AT_ONCE }, work))

if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`)
  process.exitCode = 1
}

async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const [name, command] = step
    const startedAt = performance.now()
    const { ok, output } = await run(command)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${ok ? '✓' : '✗'} ${name} (${seconds} s)`)
    if (ok) continue
    failed.push(name)
    console.log(`\n$ ${command}\n${output.trimEnd()}\n`)
  }
}

/** Keeps a step's output together, so that concurrent steps don't mix. */
function run(command: string): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() }))
  })
}
