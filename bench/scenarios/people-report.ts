import { type ComparedQuery, comparedReport } from '../reports/compared-report.ts'
import type { Report } from '../reports/results.ts'

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

/** Of ways to search for people, each compared with searching for their exact names. */
export function reportOf(people: number, measures: ComparedQuery[]): Report {
  return comparedReport({
    scenario: `people, ${people.toLocaleString('en')}`,
    what: (slowest) => `slowest look-up with a typing error (${slowest}), of an exact one`,
    atMost: OF_EXACT,
    isLimited: ({ name }) => SLIPS.includes(name),
    title: 'Ways to look people up',
    note:
      'At the desk, over HTTP, by a support agent at one connection: two hundred different people in turn, four of five of whom have ' +
      'a given and a family name. Each way takes turns with the exact names of the same people, and its ratio is the median of five ' +
      'such pairs.',
    other: 'exact p50 ms',
    measures,
  })
}
