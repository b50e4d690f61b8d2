import { expect, test } from 'vitest'
import type { Compared, Measured } from '../../measure/load.ts'
import { FLOOR, type Section } from '../../reports/section.ts'
import type { DecisionWay } from './decisions.ts'
import { FILTER_SETS, URGENT_SETS } from './filter-sets.ts'
import { AFTER_GROUPS, DEEPEST, OLDEST, reportOf, URGENT_DEEP } from './queue-report.ts'

const measured: Measured = {
  requests: 1_000,
  perSecond: 1_000,
  p50Ms: 1,
  p95Ms: 1,
  p99Ms: 1,
  cost: { serverMs: 0.5, postgresMs: 0.6, statements: 2, background: 0 },
}
const compared = (p50Ratio: number): Compared => ({ one: measured, other: measured, p50Ratio, throughputRatio: 1 })
const section = (name: string, connections: number, ratio: number): Section => ({
  name,
  connections,
  docket: measured,
  others: [{ name: FLOOR, measured, ratio }],
})
const way = (over: Partial<DecisionWay>): DecisionWay => ({
  name: 'at the desk',
  hasEndpoint: false,
  cold: 500,
  warm: measured,
  ofFloor: 0.2,
  aloneMs: 3,
  ...over,
})

const MEASURES = {
  sections: [
    section('desk, 10 rows', 32, 0.5),
    section('desk, 50 rows', 8, 0.1),
    section('endpoint 1, 10 rows', 32, 0.8),
    section('endpoint 1, 50 rows', 8, 0.8),
  ],
  ways: [
    ...Object.keys(FILTER_SETS).map((name) => ({ name, alone: compared(3) })),
    ...[...Object.keys(URGENT_SETS), URGENT_DEEP].map((name) => ({ name, alone: compared(3) })),
    { name: OLDEST, alone: compared(1) },
    { name: AFTER_GROUPS, alone: compared(1.5) },
    { name: DEEPEST, alone: compared(5) },
  ],
  deepest: 900_000,
  small: compared(1),
  coldStarts: [{ name: 'desk, 10 rows', cold: 1, warm: 2, ratio: 2 }],
  decisions: {
    ways: [
      way({}),
      way({ name: 'over REST', ofFloor: 0.16 }),
      way({ hasEndpoint: true, ofFloor: 0.1 }),
      way({ name: 'over REST', hasEndpoint: true, ofFloor: 0.1 }),
    ],
    floor: { perSecond: 5_000, aloneMs: 1, by: 'pgbench' as const },
  },
}
const missed = (measures: typeof MEASURES) =>
  reportOf(1_000_000, measures)
    .limits.filter(({ isHeld }) => !isHeld)
    .map(({ what }) => what)

test('holds every promise at its limit', () => {
  expect(missed(MEASURES)).toEqual([])
})

test('misses the promises just below their limits', () => {
  expect(
    missed({
      ...MEASURES,
      sections: [section('desk, 10 rows', 32, 0.49), section('endpoint 1, 50 rows', 8, 0.79)],
      decisions: {
        ...MEASURES.decisions,
        ways: [way({ ofFloor: 0.19, aloneMs: 3.1, cold: 499 }), way({ hasEndpoint: true, ofFloor: 0.09 })],
      },
    }),
  ).toEqual([
    'desk, 10 rows, 32 clients: throughput, of one statement',
    'endpoint 1, 50 rows, 8 clients: throughput, of one statement',
    'decisions at the desk, 8 clients, of one statement',
    'decisions at the desk: the first 300 of a process, of warm ones',
    'decisions at the desk, one client, median',
    'decisions at the desk, with an endpoint, 8 clients, of one statement',
  ])
})

test('judges the CPU time of a request where it was measured', () => {
  const [first, , ...others] = MEASURES.sections
  const slow = { ...section('desk, 50 rows', 8, 1), docket: { ...measured, cost: { serverMs: 0.6, postgresMs: 0.7 } } }
  const untold = { ...slow, docket: { ...measured, cost: {} } }
  const withSecond = (second: Section) => ({ ...MEASURES, sections: first ? [first, second, ...others] : [] })
  expect(missed(withSecond(slow))).toEqual(['desk, 50 rows, 8 clients: CPU time of a request'])
  expect(missed(withSecond(untold))).toEqual([])
})
