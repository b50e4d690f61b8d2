import type { Compared } from '../measure/load.ts'
import type { Report } from './results.ts'

/** One query, and its time relative to another. */
export interface ComparedQuery extends Compared {
  name: string
}

interface ComparedReport {
  scenario: string
  /** What the limit is about, by the name of the slowest query that it is for. */
  what: (slowest: string | undefined) => string
  /** The largest time relative to the other query. */
  atMost: number
  isLimited?: (query: ComparedQuery) => boolean
  title: string
  note: string
  /** The heading of the other query's time. */
  other: string
  measures: ComparedQuery[]
}

export function comparedReport(of: ComparedReport): Report {
  const slowest = of.measures.filter(of.isLimited ?? (() => true)).toSorted((a, b) => b.p50Ratio - a.p50Ratio)[0]
  const ratio = slowest?.p50Ratio ?? Number.NaN
  return {
    scenario: of.scenario,
    limits: [
      {
        what: of.what(slowest?.name),
        measured: ratio.toFixed(2),
        promised: `at most ${of.atMost}`,
        isHeld: ratio <= of.atMost,
      },
    ],
    tables: [
      {
        title: of.title,
        note: of.note,
        columns: ['', 'p50 ms', 'p95 ms', of.other, 'ratio'],
        rows: of.measures.map(({ name, one, other, p50Ratio }) => [
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
