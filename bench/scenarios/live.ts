import { setTimeout as sleep } from 'node:timers/promises'
import { benchDatabase } from '../data/bench-database.ts'
import { issueCredentials, withDatabase } from '../data/bench-people.ts'
import { putHeldCommentsBack, takeHeldComments } from '../data/held-comments.ts'
import { delayLimit, delayRows, sortDelays } from '../measure/delays.ts'
import { memoryOf } from '../measure/metric-of.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { Subscribers } from '../programs/live-subscribers.ts'
import { programOf, SECRET, startDocket } from '../programs/programs.ts'
import type { Report } from '../reports/results.ts'

const HELD = 10_000
const DESKS = 200
const DECISIONS = 100
const DECIDE_EVERY_MS = 100
const PROMISED_MS = 300

interface Options {
  say: (line: string) => void
}

/** Decisions made in one process, received by different people's clients on two. */
export async function benchLive(serverUrl: string, { say }: Options): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await benchDatabase(serverUrl, HELD, say)
  const { token } = await issueCredentials(databaseUrl)
  const { cookies, held } = await withDatabase(databaseUrl, async (database) => ({
    cookies: await makeDeskSessions(database, { count: DESKS, secret: SECRET }),
    held: await takeHeldComments(database.pool, DECISIONS),
  }))
  const programs = await Promise.all([startDocket(databaseUrl), startDocket(databaseUrl)])
  try {
    const before = await Promise.all(programs.map((program) => memoryOf(program)))
    say(`${DESKS} desks on ${programs.length} processes`)
    const subscribers = new Subscribers()
    await Promise.all(cookies.map((cookie, index) => subscribers.open(programOf(programs, index), cookie)))
    await subscribers.until(() => subscribers.ready === DESKS)

    say(`${DECISIONS} decisions, one each ${DECIDE_EVERY_MS} ms`)
    for (const [index, { commentId }] of held.entries()) {
      await subscribers.decide(programOf(programs, index), { commentId, token })
      await sleep(DECIDE_EVERY_MS)
    }
    await subscribers
      .until(() => subscribers.delays.length === DESKS * held.length)
      .catch(() => say('Some events did not arrive'))
    const after = await Promise.all(programs.map((program) => memoryOf(program)))
    subscribers.close()
    return { databaseUrl, report: reportOf(subscribers.delays, { decisions: held.length, before, after }) }
  } finally {
    await Promise.all(programs.map((program) => program.stop()))
    await withDatabase(databaseUrl, ({ pool }) => putHeldCommentsBack(pool))
  }
}

interface Circumstances {
  decisions: number
  before: number[]
  after: number[]
}

function reportOf(delays: number[], { decisions, before, after }: Circumstances): Report {
  const sorted = sortDelays(delays)
  const expected = DESKS * decisions
  const mebibytes = (values: number[]) => values.map((value) => `${Math.round(value)} MiB`)
  return {
    scenario: `live, ${DESKS} desks`,
    limits: [
      delayLimit('from a decision to the desks that hear it', sorted, { promisedMs: PROMISED_MS, digits: 0 }),
      {
        what: 'messages heard',
        measured: `${delays.length.toLocaleString('en')}`,
        promised: `${expected.toLocaleString('en')}, each once`,
        isHeld: delays.length === expected,
      },
    ],
    tables: [
      {
        title: 'From a decision to the desks that hear it',
        note: `${DESKS} people, each with a stream of their own, half on either of two processes; ${decisions} decisions over REST, one every ${DECIDE_EVERY_MS} ms, in turn on both. Counted from before the call that decides.`,
        columns: ['', 'ms'],
        rows: delayRows([sorted], 0),
      },
      {
        title: 'Memory of the two processes',
        columns: ['', 'first', 'second'],
        rows: [
          ['without a desk', ...mebibytes(before)],
          [`with ${DESKS / 2} desks each`, ...mebibytes(after)],
        ],
      },
    ],
  }
}
