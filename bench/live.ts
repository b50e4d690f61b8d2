import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveMessage } from '#server/modules/live/schema.ts'
import { benchDatabase } from './bench-database.ts'
import { issueCredentials, withDatabase } from './bench-people.ts'
import { delayLimit, delayRows, sortDelays } from './delays.ts'
import { makeDeskSessions } from './desk-sessions.ts'
import { putHeldCommentsBack, takeHeldComments } from './held-comments.ts'
import { type Program, programOf, SECRET, startDocket } from './programs.ts'
import type { Report } from './results.ts'

const HELD = 10_000
const DESKS = 200
const DECISIONS = 100
const DECIDE_EVERY_MS = 100
const PROMISED_MS = 300
const SETTLES_WITHIN_MS = 30_000

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
    const before = await Promise.all(programs.map(memoryOf))
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
    const after = await Promise.all(programs.map(memoryOf))
    subscribers.close()
    return { databaseUrl, report: reportOf(subscribers.delays, { decisions: held.length, before, after }) }
  } finally {
    await Promise.all(programs.map((program) => program.stop()))
    await withDatabase(databaseUrl, ({ pool }) => putHeldCommentsBack(pool))
  }
}

/** What all clients together received, and how long after each decision. */
class Subscribers {
  readonly delays: number[] = []
  ready = 0
  readonly #decidedAt = new Map<string, number>()
  readonly #closing = new AbortController()

  /** Counts from before the call: a colleague also waits for the request to reach the server. */
  async decide({ origin }: Program, { commentId, token }: { commentId: string; token: string }): Promise<void> {
    this.#decidedAt.set(commentId, performance.now())
    const answer = await fetch(`${origin}/api/v3/comments/${commentId}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`A decision was answered ${answer.status}`)
  }

  async open({ origin }: Program, cookie: string): Promise<void> {
    const headers = { cookie, accept: 'text/event-stream' }
    const answer = await fetch(`${origin}/api/trpc/live.events`, { headers, signal: this.#closing.signal })
    void this.#read(answer).catch(() => {})
  }

  async #read(answer: Response): Promise<void> {
    let unread = ''
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${unread}${chunk}`.split('\n')
      unread = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: {"')) this.#note(JSON.parse(line.slice('data: '.length)))
    }
  }

  #note(message: Partial<LiveMessage>): void {
    if (message.kind === 'ready') this.ready += 1
    if (message.kind !== 'event' || message.subjectId === undefined) return
    const decidedAt = this.#decidedAt.get(message.subjectId)
    if (decidedAt !== undefined) this.delays.push(performance.now() - decidedAt)
  }

  async until(isSo: () => boolean): Promise<void> {
    const deadline = Date.now() + SETTLES_WITHIN_MS
    while (!isSo()) {
      if (Date.now() > deadline) throw new Error('The desks did not hear in time')
      await sleep(20)
    }
  }

  close(): void {
    this.#closing.abort()
  }
}

/** In mebibytes, as reported by the process. */
async function memoryOf({ origin }: Program): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20
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
