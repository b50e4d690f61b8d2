import type { Compared } from './load.ts'
import type { Report } from './results.ts'

/** The largest time a search with a typing error may take, relative to an exact one. */
const OF_EXACT = 10
const SLIPS = [
  'a letter left out',
  'a letter twice',
  'another letter',
  'two letters changed over',
  'an error in each word, in another order',
  'in capitals, the family name first',
  'a letter left out of the handle',
]

/** One way to search for people, compared with searching for their exact names. */
export interface ComparedLookUp extends Compared {
  name: string
}

export function reportOf(people: number, measures: ComparedLookUp[]): Report {
  const slowest = measures.filter(({ name }) => SLIPS.includes(name)).toSorted((a, b) => b.p50Ratio - a.p50Ratio)[0]
  const ratio = slowest?.p50Ratio ?? Number.NaN
  return {
    scenario: `people, ${people.toLocaleString('en')}`,
    limits: [
      {
        what: `slowest look-up with a typing error (${slowest?.name}), of an exact one`,
        measured: ratio.toFixed(2),
        promised: `at most ${OF_EXACT}`,
        isHeld: ratio <= OF_EXACT,
      },
    ],
    tables: [
      {
        title: 'Ways to look people up',
        note:
          'At the desk, over HTTP, by a support agent at one connection: two hundred different people in turn, four of five of whom have ' +
          'a given and a family name. Each way takes turns with the exact names of the same people, and its ratio is the median of five ' +
          'such pairs.',
        columns: ['', 'p50 ms', 'p95 ms', 'exact p50 ms', 'ratio'],
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
