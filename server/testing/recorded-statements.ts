import type pg from 'pg'
import type { Pool } from '#server/core/database/db-types.ts'

export interface RecordedStatements {
  all: string[]
  /** Of all statements, one after the other. */
  values: unknown[]
  clear(): void
}

/** Every statement sent over this pool's connections from now on, in order. */
export function recordStatements(pool: Pool): RecordedStatements {
  const all: string[] = []
  const values: unknown[] = []
  onEveryConnection(pool, (client) => {
    const send = client.query.bind(client) as (...sent: unknown[]) => unknown
    const recording = (...sent: unknown[]) => {
      all.push(textOf(sent[0]))
      values.push(...valuesOf(sent[0]))
      return send(...sent)
    }
    Object.assign(client, { query: recording })
  })
  const clear = () => void [all, values].map((list) => list.splice(0))
  return { all, values, clear }
}

/** Runs a function once on each connection of a pool, including those for its reads and those already open. */
function onEveryConnection(pool: Pool, act: (client: pg.PoolClient) => void): void {
  const seen = new WeakSet<pg.PoolClient>()
  const see = (client: pg.PoolClient) => {
    if (seen.has(client)) return
    seen.add(client)
    act(client)
  }
  pool.on('acquire', see)
  pool.reads?.on('acquire', see)
}

/** The text of a query that was passed to a connection: a string, or a query with its values. */
function textOf(sent: unknown): string {
  if (typeof sent === 'string') return sent
  return typeof sent === 'object' && sent !== null && 'text' in sent ? String(sent.text) : ''
}

function valuesOf(sent: unknown): unknown[] {
  return typeof sent === 'object' && sent !== null && 'values' in sent && Array.isArray(sent.values) ? sent.values : []
}

/** Runs a function on a connection just before a statement is sent. */
export function beforeStatements(
  pool: Pool,
  happen: (client: pg.PoolClient, sql: string) => Promise<void> | undefined,
): void {
  onEveryConnection(pool, (client) => {
    const send = client.query.bind(client) as (...sent: unknown[]) => unknown
    const delaying = (...sent: unknown[]) => {
      const injected = happen(client, textOf(sent[0]))
      return injected === undefined ? send(...sent) : injected.then(() => send(...sent))
    }
    Object.assign(client, { query: delaying })
  })
}
