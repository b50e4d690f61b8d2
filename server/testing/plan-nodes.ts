import type { Db } from '#server/core/database/db-types.ts'
import type { Database } from '#server/core/database/open-database.ts'

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

type Statement = Parameters<Db['query']>[0]

/** Runs statements as `database` does, and remembers them. */
export function recordingDb({ pool }: Database): { db: Db; sent: Statement[] } {
  const sent: Statement[] = []
  const db: Db = {
    query: (statement) => {
      sent.push(statement)
      return pool.query(statement)
    },
  }
  return { db, sent }
}

/** What a statement does, node by node, as it is run. */
export async function planNodes({ pool }: Database, statement: Statement | undefined): Promise<PlanNode[]> {
  const { rows } = await pool.query(`explain (analyze, format json) ${statement?.text}`, statement?.values)
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
}

/** How many rows of a table a plan looks at, in the node that looks at most. */
export function rowsRead(nodes: PlanNode[], table: string): number {
  const read = nodes.filter((node) => node['Relation Name'] === table)
  return Math.max(0, ...read.map((node) => (node['Actual Rows'] + removedBy(node)) * node['Actual Loops']))
}

function removedBy(node: PlanNode): number {
  return (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
