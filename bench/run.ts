import { parseArgs } from 'node:util'
import { startBenchServer } from './bench-database.ts'
import { benchDesk } from './desk.ts'
import { benchEvents } from './events.ts'
import { benchHostile } from './hostile.ts'
import { NotGiven } from './imported-database.ts'
import { benchLive } from './live.ts'
import { benchMembers } from './members.ts'
import { benchPeople } from './people.ts'
import { benchQueue } from './queue.ts'
import { benchRest } from './rest.ts'
import { writeReport, writeSkip } from './results.ts'
import { benchSearch } from './search.ts'

/** The benchmarks of each scenario name, run in sequence. */
const SCENARIOS = {
  desk: [benchDesk, benchMembers, benchPeople],
  events: [benchEvents],
  hostile: [benchHostile],
  live: [benchLive],
  members: [benchMembers],
  people: [benchPeople],
  queue: [benchQueue],
  rest: [benchRest],
  search: [benchSearch],
}
const USAGE = `Usage: npm run bench -- ${Object.keys(SCENARIOS).join('|')} [--held 1000000] [--messages 10000000] [--people 1000000] [--seconds 3]
  --held N     how many comments wait; a database of that size is made once and kept
  --messages N how many messages are searched; likewise
  --people N   how many people are looked up among; likewise
  --seconds S  how long each round of a measure lasts`

const say = (line: string) => console.log(line)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: 'string', default: '1000000' },
    messages: { type: 'string', default: '10000000' },
    people: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
  },
})
const scenarios = Object.entries(SCENARIOS).find(([name]) => name === positionals[0])?.[1]
const [held, messages] = [Number(values.held), Number(values.messages)]
const [people, seconds] = [Number(values.people), Number(values.seconds)]

if (
  scenarios === undefined ||
  !([held, messages, people].every((size) => Number.isSafeInteger(size) && size > 0) && seconds > 0)
) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const server = await startBenchServer(say)
  try {
    let skipped = 0
    for (const scenario of scenarios) {
      const outcome = await scenario(server.url, { held, messages, people, seconds, say }).catch(unlessNotGiven)
      if (outcome instanceof NotGiven) {
        console.error(`Skipped ${outcome.scenario}: ${outcome.message}`)
        await writeSkip(outcome.scenario, outcome.message)
        skipped += 1
        continue
      }
      say(`\n${await writeReport(outcome.report, outcome.databaseUrl)}`)
      if (outcome.report.limits.some((limit) => !limit.isHeld)) process.exitCode = 1
    }
    // Nothing was measured at all.
    if (skipped === scenarios.length) process.exitCode = 2
  } finally {
    await server.stop()
  }
}

function unlessNotGiven(error: unknown): NotGiven {
  if (error instanceof NotGiven) return error
  throw error
}
