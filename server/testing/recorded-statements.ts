import type pg from 'pg'
import type { Pool } from '#server/core/db-types.ts'

/** Every statement sent over this pool's connections from now on, in order. */
export function recordStatements(pool: Pool): { all: string[]; clear(): void } {
  const all: string[] = []
  onEveryConnection(pool, (client) => {
    const send = client.query.bind(client) as (...sent: unknown[]) => unknown
    const recording = (...sent: unknown[]) => {
      all.push(textOf(sent[0]))
      return send(...sent)
    }
    Object.assign(client, { query: recording })
  })
  return { all, clear: () => void all.splice(0) }
}

/** Runs a function once on each connection of a pool, including those already open. */
function onEveryConnection(pool: Pool, act: (client: pg.PoolClient) => void): void {
  const seen = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (seen.has(client)) return
    seen.add(client)
    act(client)
  })
}

/** The text of a query that was passed to a connection: a string, or a query with its values. */
function textOf(sent: unknown): string {
  if (typeof sent === 'string') return sent
  return typeof sent === 'object' && sent !== null && 'text' in sent ? String(sent.text) : ''
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
