import { COLD_REQUESTS } from '../../measure/cold-start.ts'
import type { Limit, Table } from '../../reports/results.ts'
import { atLeast, atMost, COST_COLUMNS, costCells } from '../../reports/section-report.ts'
import { CLIENTS, type DecisionMeasures, type DecisionWay, ENDPOINT_ANSWERS_MS } from './decisions.ts'

const OF_FLOOR: Record<string, number> = { 'at the desk': 0.2, 'over REST': 0.16 }
const OF_FLOOR_WITH_ENDPOINT = 0.1
const ALONE_MS = 3
const WARM_OF_COLD = 2

export function decisionLimits({ ways }: DecisionMeasures): Limit[] {
  return ways.flatMap((way) => {
    const { name, hasEndpoint, ofFloor, aloneMs } = way
    const what = titleOf(way)
    const limit = hasEndpoint ? OF_FLOOR_WITH_ENDPOINT : (OF_FLOOR[name] ?? Number.NaN)
    return [
      atLeast(`${what}, ${CLIENTS} clients, of one statement`, ofFloor, limit),
      // With an endpoint the first ones are not beside as many deliveries as the warm ones.
      ...(hasEndpoint
        ? []
        : [
            atMost(`${what}: the first ${COLD_REQUESTS} of a process, of warm ones`, slowdownOf(way), WARM_OF_COLD),
            atMost(`${what}, one client, median`, aloneMs, ALONE_MS, ' ms'),
          ]),
    ]
  })
}

export function decisionTable({ ways, floor }: DecisionMeasures): Table {
  return {
    title: 'Decisions',
    note: [
      `${CLIENTS} clients approve comments of one community; the sequencer, and deliveries, work in the same process. The endpoint answers`,
      `after ${ENDPOINT_ANSWERS_MS} ms. The floor is one statement that compares and sets, counts, and inserts audit row, event and decision, run`,
      `by ${floor.by}: ${floor.perSecond.toFixed(0)} a second, and ${floor.aloneMs.toFixed(1)} ms each for one client. It sends no HTTP and builds no`,
      'answer, and was measured before, between and after those without and with an endpoint. Medians of three rounds, each way in a process of',
      `its own; “first” are the first ${COLD_REQUESTS} of the process; one client is measured once the others have ended and all is published.`,
      'CPU time and statements of one decision include its delivery. “Delivered” is the time from the last decision to the last delivery; at the',
      'desk ten seconds of it are the undo time.',
    ].join(' '),
    columns: [
      '',
      'decisions/s',
      'of the floor',
      'p50 ms',
      'p95 ms',
      'first/s',
      'one client, ms',
      'delivered, s',
      ...COST_COLUMNS,
    ],
    rows: ways.map((way) => [
      titleOf(way),
      way.warm.perSecond.toFixed(0),
      way.ofFloor.toFixed(2),
      way.warm.p50Ms.toFixed(1),
      way.warm.p95Ms.toFixed(1),
      way.cold.toFixed(0),
      way.aloneMs.toFixed(1),
      way.deliveredMs === undefined ? '' : (way.deliveredMs / 1_000).toFixed(1),
      ...costCells(way.warm),
    ]),
  }
}

const titleOf = ({ name, hasEndpoint }: DecisionWay) => `decisions ${name}${hasEndpoint ? ', with an endpoint' : ''}`
const slowdownOf = ({ cold, warm }: DecisionWay) => warm.perSecond / cold
