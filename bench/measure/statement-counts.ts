import type pg from 'pg'

/** How often each kind of statement ran, by its id in pg_stat_statements. */
export type StatementCounts = Map<string, number>

/** The statements a request runs itself, and those that run beside it. */
export interface StatementsPerRequest {
  statements: number
  background: number
}

/** A statement that ran less often for each request is the work of sequencer and workers, done in batches. */
const OF_A_REQUEST = 0.5

/** All statements of one database since its server counts. Undefined if the server doesn't count them. */
export async function readStatementCounts(client: pg.Client, database: string): Promise<StatementCounts | undefined> {
  const found = await client
    .query<{ id: string; calls: string }>(
      `select queryid::text as id, sum(calls) as calls from pg_stat_statements
       where toplevel and dbid = (select oid from pg_database where datname = $1) group by queryid`,
      [database],
    )
    .catch(() => undefined)
  return found && new Map(found.rows.map(({ id, calls }) => [id, Number(calls)]))
}

/** The statements between two counts, per request. */
export function statementsPerRequest(
  before: StatementCounts,
  after: StatementCounts,
  requests: number,
): StatementsPerRequest {
  const perRequest = [...after].map(([id, calls]) => (calls - (before.get(id) ?? 0)) / requests)
  const sumOf = (rates: number[]) => rates.reduce((sum, rate) => sum + rate, 0)
  return {
    statements: sumOf(perRequest.filter((rate) => rate >= OF_A_REQUEST)),
    background: sumOf(perRequest.filter((rate) => rate < OF_A_REQUEST)),
  }
}
