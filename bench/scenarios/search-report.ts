import { type Measured, median } from '../measure/load.ts'
import type { Report } from '../reports/results.ts'

const OF_CHEAPEST = 5

/** One kind of search, round by round. */
export interface SearchMeasures {
  name: string
  /** As reported in the response. */
  hits: string
  rounds: Measured[]
}

/** Each query's time relative to the cheapest in the same round; the medians of all rounds. */
export function reportOf(messages: number, measures: SearchMeasures[]): Report {
  const p50Ms = ({ rounds }: SearchMeasures) => median(rounds.map((round) => round.p50Ms))
  const [cheapest] = measures.toSorted((a, b) => p50Ms(a) - p50Ms(b))
  const ratio = ({ rounds }: SearchMeasures) =>
    median(rounds.map((round, place) => round.p50Ms / (cheapest?.rounds[place]?.p50Ms ?? Number.NaN)))
  const [slowest] = measures.toSorted((a, b) => ratio(b) - ratio(a))
  const ofSlowest = slowest === undefined ? Number.NaN : ratio(slowest)

  return {
    scenario: `search, ${messages.toLocaleString('en')} messages`,
    limits: [
      {
        what: `slowest way to search (${slowest?.name}), of the cheapest (${cheapest?.name})`,
        measured: ofSlowest.toFixed(2),
        promised: `at most ${OF_CHEAPEST}`,
        isHeld: ofSlowest <= OF_CHEAPEST,
      },
    ],
    tables: [
      {
        title: 'Ways to search',
        note:
          'The first page of twenty over HTTP, asked by an admin token at one connection; newest first unless it says otherwise. All ' +
          `ways take turns in ${cheapest?.rounds.length} short rounds; a ratio is the median of the rounds’ own.`,
        columns: ['', 'hits', 'p50 ms', 'p95 ms', 'ratio'],
        rows: measures.map((way) => [
          way.name,
          way.hits,
          p50Ms(way).toFixed(2),
          median(way.rounds.map((round) => round.p95Ms)).toFixed(2),
          ratio(way).toFixed(2),
        ]),
      },
    ],
  }
}
