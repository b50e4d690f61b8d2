import type { Compared } from './load.ts'
import type { Report } from './results.ts'

/** The largest time a page of the large channel may take, relative to the same page of the small one. */
const OF_SMALL = 1.5

/** One page, of a channel of 15,730 people and of one of a hundred. */
export interface ComparedPage extends Compared {
  name: string
}

export const MEMBERS = 'members, 15,730'

export function reportOf(measures: ComparedPage[]): Report {
  const slowest = measures.toSorted((a, b) => b.p50Ratio - a.p50Ratio)[0]
  const ratio = slowest?.p50Ratio ?? Number.NaN
  return {
    scenario: MEMBERS,
    limits: [
      {
        what: `slowest page of the members of the imported channel (${slowest?.name}), of the same page of a channel of 100`,
        measured: ratio.toFixed(2),
        promised: `at most ${OF_SMALL}`,
        isHeld: ratio <= OF_SMALL,
      },
    ],
    tables: [
      {
        title: 'Pages of members',
        note:
          'At the desk, over HTTP, by a support agent at one connection, twenty members a page. Each page of the imported channel takes turns ' +
          'with the same page of a channel of a hundred of its people, and its ratio is the median of five such pairs.',
        columns: ['', 'p50 ms', 'p95 ms', 'of 100, p50 ms', 'ratio'],
        rows: measures.map(({ name, one, other, p50Ratio }) => [
          name,
          one.p50Ms.toFixed(2),
          one.p95Ms.toFixed(2),
          other.p50Ms.toFixed(2),
          p50Ratio.toFixed(2),
        ]),
      },
    ],
  }
}
