import { parseArgs } from 'node:util'
import { startBenchServer } from './bench-database.ts'
import { benchLive } from './live.ts'
import { benchQueue } from './queue.ts'
import { writeReport } from './results.ts'

const SCENARIOS = { live: benchLive, queue: benchQueue }
const USAGE = `Usage: npm run bench -- ${Object.keys(SCENARIOS).join('|')} [--held 1000000] [--seconds 3]
  --held N     how many comments wait; a database of that size is made once and kept
  --seconds S  how long each round of a measure lasts`

const say = (line: string) => console.log(line)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { held: { type: 'string', default: '1000000' }, seconds: { type: 'string', default: '3' } },
})
const scenario = Object.entries(SCENARIOS).find(([name]) => name === positionals[0])?.[1]
const [held, seconds] = [Number(values.held), Number(values.seconds)]

if (scenario === undefined || !(Number.isSafeInteger(held) && held > 0 && seconds > 0)) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const server = await startBenchServer(say)
  try {
    const { report, databaseUrl } = await scenario(server.url, { held, seconds, say })
    say(`\n${await writeReport(report, databaseUrl)}`)
    if (report.limits.some((limit) => !limit.isHeld)) process.exitCode = 1
  } finally {
    await server.stop()
  }
}
