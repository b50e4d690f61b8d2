import { parseArgs } from 'node:util'
import { startBenchServer } from './data/bench-database.ts'
import { NotGiven } from './data/imported-database.ts'
import { type Report, writeReport, writeSkip } from './reports/results.ts'
import { benchAgainst } from './scenarios/against.ts'
import { benchBackup } from './scenarios/backup.ts'
import { benchDesk } from './scenarios/desk.ts'
import { benchEvents } from './scenarios/events.ts'
import { benchHostile } from './scenarios/hostile.ts'
import { benchLive } from './scenarios/live.ts'
import { benchMembers } from './scenarios/members.ts'
import { benchMemory } from './scenarios/memory.ts'
import { benchPeople } from './scenarios/people.ts'
import { benchPooler } from './scenarios/pooler.ts'
import { benchQueue } from './scenarios/queue/queue.ts'
import { benchRest } from './scenarios/rest.ts'
import { benchRetention } from './scenarios/retention.ts'
import { benchRules } from './scenarios/rules.ts'
import { benchSearch } from './scenarios/search.ts'
import { benchWeight } from './scenarios/weight.ts'

interface Options {
  held: number
  messages: number
  people: number
  seconds: number
  minutes: number
  expired: number
  against: string | undefined
  say: (line: string) => void
}

type Bench = (serverUrl: string, options: Options) => Promise<{ report: Report; databaseUrl: string }>

/** The benchmarks of each scenario name, run in sequence. */
const SCENARIOS: Record<string, Bench[]> = {
  against: [benchAgainst],
  backup: [benchBackup],
  desk: [benchDesk, benchMembers, benchPeople],
  events: [benchEvents],
  hostile: [benchHostile],
  live: [benchLive],
  members: [benchMembers],
  memory: [benchMemory],
  people: [benchPeople],
  pooler: [benchPooler],
  queue: [benchQueue],
  rest: [benchRest],
  retention: [benchRetention],
  rules: [benchRules],
  search: [benchSearch],
  weight: [benchWeight],
}
const USAGE = `Usage: npm run bench -- ${Object.keys(SCENARIOS).join('|')} … [--held 1000000] [--messages 10000000] [--people 1000000] [--seconds 3] [--minutes 15] [--expired 10000000] [--against folder]
  --held N     how many comments wait; a database of that size is made once and kept
  --messages N how many messages are searched; likewise
  --people N   how many people are looked up among; likewise
  --seconds S  how long each round of a measure lasts
  --minutes M  how long memory is measured under load
  --expired N  how many events at least have expired and are dropped
  --against F  the folder of another checkout, from 8ab253d on, after \`npm ci\` there, that scenario "against" is measured in turns with. It
               has its own PostgreSQL and database, which the first run fills; DATABASE_URL must not be set`

const say = (line: string) => console.log(line)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: 'string', default: '1000000' },
    messages: { type: 'string', default: '10000000' },
    people: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '15' },
    expired: { type: 'string', default: '10000000' },
    against: { type: 'string' },
  },
})
const areKnown = positionals.length > 0 && positionals.every((name) => Object.hasOwn(SCENARIOS, name))
const scenarios = [...new Set(positionals.flatMap((name) => SCENARIOS[name] ?? []))]
const [held, messages] = [Number(values.held), Number(values.messages)]
const [people, seconds] = [Number(values.people), Number(values.seconds)]
const [minutes, expired] = [Number(values.minutes), Number(values.expired)]

if (
  !areKnown ||
  !([held, messages, people, minutes, expired].every((size) => Number.isSafeInteger(size) && size > 0) && seconds > 0)
) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const server = await startBenchServer(say)
  try {
    let skipped = 0
    for (const scenario of scenarios) {
      const outcome = await scenario(server.url, {
        held,
        messages,
        people,
        seconds,
        minutes,
        expired,
        against: values.against,
        say,
      }).catch(unlessNotGiven)
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
