import { type ComparedQuery, comparedReport } from '../reports/compared-report.ts'
import type { Report } from '../reports/results.ts'

/** The largest time a page of the large channel may take, relative to the same page of the small one. */
const OF_SMALL = 1.5

export const MEMBERS = 'members, 15,730'

/** Of pages of a channel of 15,730 people, each compared with that of one of a hundred. */
export function reportOf(measures: ComparedQuery[]): Report {
  return comparedReport({
    scenario: MEMBERS,
    what: (slowest) =>
      `slowest page of the members of the imported channel (${slowest}), of the same page of a channel of 100`,
    atMost: OF_SMALL,
    title: 'Pages of members',
    note:
      'At the desk, over HTTP, by a support agent at one connection, twenty members a page. Each page of the imported channel takes turns ' +
      'with the same page of a channel of a hundred of its people, and its ratio is the median of five such pairs.',
    other: 'of 100, p50 ms',
    measures,
  })
}
