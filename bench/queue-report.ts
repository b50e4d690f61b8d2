import type { DecisionRates } from './decisions.ts'
import { FILTER_SETS } from './filter-sets.ts'
import type { Compared, Measured } from './load.ts'
import type { Limit, Report, Table } from './results.ts'

export const SKIP = 'skip 100,000'
export const SKIP_IN_A_YEAR = 'skip 100,000 within a year'
export const OLDEST = 'oldest first, at the desk'

const DECISIONS_A_SECOND = 400
const DECISIONS_OF_BARE = 0.25

/** One query, compared with the plain first page: by a single caller, and by as many as saturate the machine. */
export interface ComparedWay {
  name: string
  alone: Compared
  /** Absent for queries so slow that 32 concurrent ones would only measure the wait. */
  together?: Compared | undefined
}

export interface QueueMeasures {
  /** Docket, compared with the bare server. */
  load: Compared & { statements: number }
  ways: ComparedWay[]
  /** The plain first page, compared with that of a small queue. */
  small: Compared
  decisions: DecisionRates
}

/** The figures, checked against their limits. */
export function reportOf(held: number, measures: QueueMeasures): Report {
  return {
    scenario: `queue, ${held.toLocaleString('en')} held`,
    limits: limitsOf(held, measures),
    tables: [throughputTable(measures), waysTable(measures), decisionTable(measures)],
  }
}

function limitsOf(held: number, { load, ways, small, decisions }: QueueMeasures): Limit[] {
  const ratio = (name: string) => ways.find((way) => way.name === name)?.alone.p50Ratio ?? Number.NaN
  const slowest = Object.keys(FILTER_SETS).toSorted((a, b) => ratio(b) - ratio(a))[0] ?? ''
  return [
    atLeast('throughput at 32 connections, of the bare server', load.throughputRatio, 0.6),
    atMost(`slowest filter set (${slowest}), of the plain first page`, ratio(slowest), 3),
    atMost(`${OLDEST}, of newest first there`, ratio(OLDEST), 1.5),
    atMost(`${SKIP}, of the plain first page`, ratio(SKIP), 20),
    atMost(`the plain first page of ${held.toLocaleString('en')}, of that of 10,000`, small.p50Ratio, 2),
    decisionLimit(decisions),
  ]
}

function atLeast(what: string, ratio: number, limit: number): Limit {
  return { what, measured: ratio.toFixed(2), promised: `at least ${limit}`, isHeld: ratio >= limit }
}

function atMost(what: string, ratio: number, limit: number): Limit {
  return { what, measured: ratio.toFixed(2), promised: `at most ${limit}`, isHeld: ratio <= limit }
}

function throughputTable({ load }: QueueMeasures): Table {
  const row = (name: string, { perSecond, p50Ms, p95Ms, p99Ms }: Measured) => [
    name,
    perSecond.toFixed(0),
    ...[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(1)),
  ]
  return {
    title: 'The plain first page at 32 connections',
    note:
      `The bare server is \`node:http\` and \`pg\`: the ${load.statements} statements of one request of ours, recorded, in the same ` +
      'order and at the same time, over as many connections to the same database, and `JSON.stringify` of the same answer. In ' +
      'turns, medians of five rounds.',
    columns: ['', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms'],
    rows: [row('Docket', load.one), row('bare', load.other)],
  }
}

function waysTable({ ways, small }: QueueMeasures): Table {
  const costMs = ({ perSecond }: Measured) => (1_000 / perSecond).toFixed(2)
  return {
    title: 'Ways to ask',
    note:
      'Pages of ten of the largest community, over HTTP. Each is measured in turns with the plain first page, and its ratio is the ' +
      'median of five such pairs. Judged by the median time at one connection, which is what one caller waits for; beside it what a ' +
      'request costs the whole machine at 32. Oldest first is known to the desk only and compared with newest first there. ' +
      `The plain first page of 10,000 took ${small.other.p50Ms.toFixed(2)} ms, ${small.one.p50Ms.toFixed(2)} ms of these.`,
    columns: ['', 'p50 ms', 'p99 ms', 'plain p50 ms', 'ratio', 'ms at 32', 'ratio'],
    rows: ways.map(({ name, alone, together }) => [
      name,
      alone.one.p50Ms.toFixed(2),
      alone.one.p99Ms.toFixed(2),
      alone.other.p50Ms.toFixed(2),
      alone.p50Ratio.toFixed(2),
      ...(together ? [costMs(together.one), (1 / together.throughputRatio).toFixed(2)] : ['', '']),
    ]),
  }
}

/** The bare clients' rate shows how slow the machine is. */
function decisionLimit({ real, bare }: DecisionRates): Limit {
  return {
    what: 'decisions a second in one community, 8 clients',
    measured: `${real.toFixed(0)}, ${(real / bare).toFixed(2)} of bare`,
    promised: `at least ${DECISIONS_A_SECOND}, or ${DECISIONS_OF_BARE} of bare`,
    isHeld: real >= DECISIONS_A_SECOND || real / bare >= DECISIONS_OF_BARE,
  }
}

function decisionTable({ decisions: { real, bare, pgbench, statements } }: QueueMeasures): Table {
  const row = (name: string, rate: number) => [name, rate.toFixed(0), (real / rate).toFixed(2)]
  return {
    title: 'Decisions',
    note:
      'Eight clients approve comments of one community. Docket: over REST, its sequencer at work in the same process. The others: the ' +
      `${statements} statements of the same transaction, recorded, without HTTP and sequencer. Medians of three rounds.`,
    columns: ['', 'decisions/s', 'Docket of it'],
    rows: [
      row('Docket', real),
      row('bare `pg` clients', bare),
      ...(pgbench === undefined ? [] : [row('pgbench', pgbench)]),
    ],
  }
}
