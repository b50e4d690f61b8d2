import type { AgainstBare } from './against-bare.ts'
import type { Measured } from './load.ts'
import type { Limit, Report, Table } from './results.ts'

export const LOAD = 32
const OF_BARE = 0.5

export interface ComparedEndpoint extends AgainstBare {
  name: string
}

export const REST = 'rest, imported data'

/** The figures, checked against their limits. */
export function reportOf(endpoints: ComparedEndpoint[]): Report {
  return { scenario: REST, limits: endpoints.map(limitOf), tables: [throughputTable(endpoints)] }
}

function limitOf({ name, throughputRatio }: ComparedEndpoint): Limit {
  return {
    what: `endpoint ${name}: throughput at ${LOAD} connections, of the bare server`,
    measured: throughputRatio.toFixed(2),
    promised: `at least ${OF_BARE}`,
    isHeld: throughputRatio >= OF_BARE,
  }
}

function throughputTable(endpoints: ComparedEndpoint[]): Table {
  const figures = ({ perSecond, p50Ms, p99Ms }: Measured) => [perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1)]
  return {
    title: `Endpoints at ${LOAD} connections`,
    note:
      'Both files of imported data; the caller moderates the community and the channel. The bare server is `node:http` and `pg`: the ' +
      'statements of one request of ours, recorded, in the same order and at the same time, over as many connections to the same ' +
      'database, and `JSON.stringify` of the same answer. Each ban is of another member, in a transaction; the sequencer of Docket puts ' +
      'in order what both write. In turns, medians of five rounds.',
    columns: ['endpoint', 'statements', 'requests/s', 'p50 ms', 'p99 ms', 'bare requests/s', 'p50 ms', 'p99 ms'],
    rows: endpoints.map(({ name, statements, one, other }) => [
      name,
      `${statements}`,
      ...figures(one),
      ...figures(other),
    ]),
  }
}
