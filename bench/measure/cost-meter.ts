import pg from 'pg'
import { parentOf, readClusterCpuMs, readOwnCpuMs } from './process-cpu.ts'
import { readStatementCounts, statementsPerRequest } from './statement-counts.ts'

/** What one request costs, on average; without what this machine or this PostgreSQL doesn't tell. */
export interface Cost {
  /** Statements of the request itself, and of what runs in batches beside it. */
  statements?: number | undefined
  background?: number | undefined
  /** CPU time of the server's process, in milliseconds. */
  serverMs?: number | undefined
  /** CPU time of PostgreSQL, all its processes together, in milliseconds. */
  postgresMs?: number | undefined
}

export interface CostMeter {
  /** Starts measuring a server's process; the function it returns ends that. */
  start(pid: number): Promise<(requests: number) => Promise<Cost>>
}

/** Measures requests that are answered from one database during `work`. */
export async function withCostMeter<Result>(
  databaseUrl: string,
  work: (meter: CostMeter) => Promise<Result>,
): Promise<Result> {
  const url = new URL(databaseUrl)
  const database = url.pathname.slice(1)
  // Its own statements are counted for another database.
  url.pathname = '/postgres'
  const client = new pg.Client(url.href)
  await client.connect()
  try {
    await client.query('create extension if not exists pg_stat_statements').catch(() => {})
    const postmaster = await findPostmaster(client)
    const read = async (pid: number) => ({
      serverMs: await readOwnCpuMs(pid),
      postgresMs: postmaster === undefined ? undefined : await readClusterCpuMs(postmaster),
      statements: await readStatementCounts(client, database),
    })
    return await work({
      start: async (pid) => {
        const before = await read(pid)
        return async (requests) => {
          const after = await read(pid)
          return {
            serverMs: perRequest(before.serverMs, after.serverMs, requests),
            postgresMs: perRequest(before.postgresMs, after.postgresMs, requests),
            ...(before.statements &&
              after.statements &&
              statementsPerRequest(before.statements, after.statements, requests)),
          }
        }
      },
    })
  } finally {
    await client.end()
  }
}

/** Undefined if PostgreSQL runs elsewhere: a backend's id means nothing here then. */
async function findPostmaster(client: pg.Client): Promise<number | undefined> {
  const found = await client.query<{ pid: number; isLocal: boolean }>(
    `select pg_backend_pid() as pid, coalesce(inet_server_addr() << '127.0.0.0/8', true) as "isLocal"`,
  )
  const [backend] = found.rows
  return backend?.isLocal ? parentOf(backend.pid) : undefined
}

function perRequest(before: number | undefined, after: number | undefined, requests: number): number | undefined {
  return before === undefined || after === undefined ? undefined : (after - before) / requests
}
