import { parseArgs } from 'node:util'
import { startBenchServer } from './data/bench-database.ts'
import { type Scenario, writeReport } from './report.ts'
import { benchAgainst } from './scenarios/against.ts'
import { benchDecisions } from './scenarios/decisions.ts'
import { benchDesk } from './scenarios/desk.ts'
import { benchEvents } from './scenarios/events.ts'
import { benchMemory } from './scenarios/memory.ts'
import { benchQueue } from './scenarios/queue.ts'
import { benchRules } from './scenarios/rules.ts'
import { benchPeople, benchSearch } from './scenarios/search.ts'
import { benchWrites } from './scenarios/writes.ts'

const SCENARIOS: Record<string, Scenario> = {
  queue: benchQueue,
  decisions: benchDecisions,
  writes: benchWrites,
  rules: benchRules,
  events: benchEvents,
  search: benchSearch,
  people: benchPeople,
  desk: benchDesk,
  memory: benchMemory,
  against: benchAgainst,
}
const USAGE = `Usage: npm run bench -- ${Object.keys(SCENARIOS).join('|')} … [--held 1000000] [--messages 10000000] [--people 1000000] [--seconds 3] [--minutes 15] [--against folder]
  queue        pages of the queue at the desk and over REST
  decisions    decisions at the desk and over REST, without and with a webhook endpoint
  writes       comments, posts and messages
  rules        what rules add to a comment, and a backtest
  events       from a decision to an endpoint and to open desks
  search       messages
  people       people by name, with typing errors
  desk         from a key to the next item painted, in a browser
  memory       what a process takes at rest and under load
  against      pages, decisions and writes in turns with another checkout
  --held N     how many comments wait; a database of that size is made once and kept
  --messages N how many messages are searched; likewise
  --people N   how many people are looked up among; likewise
  --seconds S  how long each round of a measure lasts
  --minutes M  how long memory is measured under load
  --against F  the folder of another checkout, from 8ab253d on, after \`npm ci\` there. It has its own PostgreSQL and database, which the first
               run fills; DATABASE_URL must not be set`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: 'string', default: '1000000' },
    messages: { type: 'string', default: '10000000' },
    people: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '15' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const { against } = values
const [held, messages, people, minutes] = [values.held, values.messages, values.people, values.minutes].map(Number) as [
  number,
  number,
  number,
  number,
]
const seconds = Number(values.seconds)
const names = [...new Set(positionals)]
const isUsable =
  names.length > 0 &&
  names.every((name) => Object.hasOwn(SCENARIOS, name)) &&
  [held, messages, people, minutes].every((size) => Number.isSafeInteger(size) && size > 0) &&
  seconds > 0 &&
  (against !== undefined || !names.includes('against'))

if (values.help) {
  console.log(USAGE)
} else if (!isUsable) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const say = (line: string) => console.log(line)
  const server = await startBenchServer(say)
  try {
    for (const name of names) {
      const options = { serverUrl: server.url, held, messages, people, seconds, minutes, against, say }
      const report = await SCENARIOS[name]?.(options)
      if (report === undefined) continue
      say(`\n${await writeReport(report, server.url)}`)
      if (report.limits.some(({ isHeld }) => !isHeld)) process.exitCode = 1
    }
  } finally {
    await server.stop()
  }
}
