import { COLD_CLIENTS, COLD_REQUESTS, type ColdStart } from '../../measure/cold-start.ts'
import type { Compared, Measured } from '../../measure/load.ts'
import type { Limit, Report, Table } from '../../reports/results.ts'
import type { Section } from '../../reports/section.ts'
import { atMost, cpuAtMost, ofFloor, sectionTable } from '../../reports/section-report.ts'
import { decisionLimits, decisionTable } from './decision-report.ts'
import type { DecisionMeasures } from './decisions.ts'
import { FILTER_SETS, URGENT_SETS } from './filter-sets.ts'

export const SKIP = 'skip 100,000'
export const SKIP_IN_A_YEAR = 'skip 100,000 within a year'
export const DEEPEST = 'skip to the far end'
export const URGENT_DEEP = 'most urgent first, at the far end'
export const OLDEST = 'oldest first, at the desk'
export const OF_ALL = 'all communities at once, at the desk'
export const AFTER_GROUPS = 'the page after groups of identical items, at the desk'

const DESK_OF_FLOOR = 0.5
const REST_OF_FLOOR = 0.8
const CPU_OF_50_ROWS_MS = 1.2
const WARM_OF_COLD = 2
/** Both were compared at these numbers of rows and clients. */
const JUDGED_BY_THROUGHPUT = 'desk, 10 rows'
const JUDGED_BY_CPU = { name: 'desk, 50 rows', connections: 8 }

/** One query, compared with the plain first page: by a single caller, and by as many as saturate the machine. */
export interface ComparedWay {
  name: string
  alone: Compared
  /** Absent for queries so slow that 32 concurrent ones would only measure the wait. */
  together?: Compared | undefined
}

export interface QueueMeasures {
  sections: Section[]
  ways: ComparedWay[]
  /** How many rows the deepest page skips. */
  deepest: number
  /** The plain first page, compared with that of a small queue. */
  small: Compared
  coldStarts: ColdStart[]
  decisions: DecisionMeasures
}

/** The figures, checked against their limits. */
export function reportOf(held: number, measures: QueueMeasures): Report {
  const { sections, coldStarts, decisions } = measures
  return {
    scenario: `queue, ${held.toLocaleString('en')} held`,
    limits: [
      ...sections.flatMap(sectionLimits),
      ...wayLimits(held, measures),
      ...coldStarts.map(({ name, ratio }) =>
        atMost(`${name}: the first ${COLD_REQUESTS} requests of a process, of warm ones`, ratio, WARM_OF_COLD),
      ),
      ...decisionLimits(decisions),
    ],
    tables: [sectionTable('Pages', sections), waysTable(measures), coldTable(coldStarts), decisionTable(decisions)],
  }
}

function sectionLimits(section: Section): Limit[] {
  const isRest = section.name.startsWith('endpoint 1')
  const { name, connections } = JUDGED_BY_CPU
  return [
    ...(isRest ? [ofFloor(section, REST_OF_FLOOR)] : []),
    ...(section.name === JUDGED_BY_THROUGHPUT ? [ofFloor(section, DESK_OF_FLOOR)] : []),
    ...(section.name === name && section.connections === connections ? cpuAtMost(section, CPU_OF_50_ROWS_MS) : []),
  ]
}

function wayLimits(held: number, { ways, deepest, small }: QueueMeasures): Limit[] {
  const ratio = (name: string) => ways.find((way) => way.name === name)?.alone.p50Ratio ?? Number.NaN
  const slowestOf = (names: string[]) => names.toSorted((a, b) => ratio(b) - ratio(a))[0] ?? ''
  const slowest = slowestOf(Object.keys(FILTER_SETS))
  const slowestUrgent = slowestOf([...Object.keys(URGENT_SETS), URGENT_DEEP])
  return [
    atMost(`slowest filter set (${slowest}), of the plain first page`, ratio(slowest), 3),
    atMost(`${OLDEST}, of newest first there`, ratio(OLDEST), 1.5),
    atMost(`${AFTER_GROUPS}, of the first page there`, ratio(AFTER_GROUPS), 1.5),
    atMost(
      `slowest of most urgent first (${slowestUrgent}), of newest first with the same filter`,
      ratio(slowestUrgent),
      3,
    ),
    atMost(`skip ${deepest.toLocaleString('en')}, of the plain first page`, ratio(DEEPEST), 5),
    atMost(`the plain first page of ${held.toLocaleString('en')}, of that of 10,000`, small.p50Ratio, 2),
  ]
}

function coldTable(coldStarts: ColdStart[]): Table {
  return {
    title: 'Fresh processes',
    note: `The first ${COLD_REQUESTS} requests of a process, by ${COLD_CLIENTS} clients, and as many once it is warm; medians of three processes.`,
    columns: ['', 'first, requests/s', 'warm, requests/s', 'slower'],
    rows: coldStarts.map(({ name, cold, warm, ratio }) => [name, cold.toFixed(0), warm.toFixed(0), ratio.toFixed(2)]),
  }
}

function waysTable({ ways, deepest, small }: QueueMeasures): Table {
  const costMs = ({ perSecond }: Measured) => (1_000 / perSecond).toFixed(2)
  return {
    title: 'Ways to ask',
    note:
      'Pages of ten of the largest community, over HTTP. Each is measured in turns with the plain first page, and its ratio is the ' +
      'median of five such pairs. Judged by the median time at one connection, which is what one caller waits for; beside it what a ' +
      'request costs the whole machine at 32. Oldest first, most urgent first, groups and all communities at once are known to the desk ' +
      'only and compared with newest first there, with the same filter. ' +
      `The far end is row ${deepest.toLocaleString('en')}, at most nine tenths of what the community holds. ` +
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
