import type { ClientBase } from 'pg'
import type { Database } from '#server/core/database/open-database.ts'

/** One statement as passed to the driver. */
export interface Statement {
  name?: string
  text: string
  values: unknown[]
  rowMode?: 'array'
}

/** Statements that ran at the same time, wave after wave. */
export type Waves = Statement[][]

/** Records the statements of `act` on this database, which must not have been used before. */
export async function recordStatements<Result>(
  { pool }: Database,
  act: () => Promise<Result>,
): Promise<{ waves: Waves; result: Result }> {
  const waves: Waves = []
  let running = 0
  const record = (client: ClientBase) => {
    let sent = 0
    const query: (...given: unknown[]) => unknown = client.query.bind(client)
    Object.assign(client, {
      query: (...given: unknown[]) => {
        if (running === 0) waves.push([])
        running += 1
        sent += 1
        waves.at(-1)?.push(statementOf(given))
        return query(...given)
      },
    })
    // A client emits this when all that it sent is answered.
    client.on('drain', () => {
      running -= sent
      sent = 0
    })
  }
  pool.on('connect', record)
  try {
    return { result: await act(), waves }
  } finally {
    pool.off('connect', record)
  }
}

function statementOf([first, second]: unknown[]): Statement {
  if (typeof first === 'string') return { text: first, values: Array.isArray(second) ? second : [] }
  const { name, text, values = [] } = first as Statement
  return { text, values: [...values], ...(name !== undefined && { name }) }
}
