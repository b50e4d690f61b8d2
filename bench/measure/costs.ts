import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

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
  /** Starts measuring a server's process; the function it returns ends that, and divides by the number of requests. */
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
      serverMs: (await readProcess(pid))?.ownMs,
      postgresMs: postmaster === undefined ? undefined : await readClusterCpuMs(postmaster),
      calls: await readCalls(client, database),
    })
    return await work({
      start: async (pid) => {
        const before = await read(pid)
        return async (requests) => {
          const after = await read(pid)
          const perRequest = (one = Number.NaN, other = Number.NaN) =>
            Number.isNaN(other - one) ? undefined : (other - one) / requests
          return {
            serverMs: perRequest(before.serverMs, after.serverMs),
            postgresMs: perRequest(before.postgresMs, after.postgresMs),
            ...(before.calls && after.calls && statementsPerRequest(before.calls, after.calls, requests)),
          }
        }
      },
    })
  } finally {
    await client.end()
  }
}

/** How often each kind of statement ran, by its id in pg_stat_statements. */
type Calls = Map<string, number>

/** A statement that ran less often for each request is the work of sequencer and workers, done in batches. */
const OF_A_REQUEST = 0.5

/** All statements of one database since its server counts. Undefined if the server doesn't count them. */
async function readCalls(client: pg.Client, database: string): Promise<Calls | undefined> {
  const found = await client
    .query<{ id: string; calls: string }>(
      `select queryid::text as id, sum(calls) as calls from pg_stat_statements
       where toplevel and dbid = (select oid from pg_database where datname = $1) group by queryid`,
      [database],
    )
    .catch(() => undefined)
  return found && new Map(found.rows.map(({ id, calls }) => [id, Number(calls)]))
}

export function statementsPerRequest(before: Calls, after: Calls, requests: number) {
  const perRequest = [...after].map(([id, calls]) => (calls - (before.get(id) ?? 0)) / requests)
  const sumOf = (rates: number[]) => rates.reduce((sum, rate) => sum + rate, 0)
  return {
    statements: sumOf(perRequest.filter((rate) => rate >= OF_A_REQUEST)),
    background: sumOf(perRequest.filter((rate) => rate < OF_A_REQUEST)),
  }
}

/** Undefined if PostgreSQL runs elsewhere: a backend's id means nothing here then. */
async function findPostmaster(client: pg.Client): Promise<number | undefined> {
  const found = await client.query<{ pid: number; isLocal: boolean }>(
    `select pg_backend_pid() as pid, coalesce(inet_server_addr() << '127.0.0.0/8', true) as "isLocal"`,
  )
  const [backend] = found.rows
  return backend?.isLocal ? (await readProcess(backend.pid))?.parent : undefined
}

/** /proc counts in hundredths of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10

interface ProcessCpu {
  parent: number
  ownMs: number
  endedChildrenMs: number
}

/** The CPU time of all backends and workers of a PostgreSQL server, also of those that have ended. */
async function readClusterCpuMs(postmaster: number): Promise<number | undefined> {
  const server = await readProcess(postmaster)
  if (server === undefined) return undefined
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const children = (await Promise.all(pids.map(readProcess))).filter((each) => each?.parent === postmaster)
  return children.reduce((sum, child) => sum + (child?.ownMs ?? 0), server.endedChildrenMs)
}

/** Undefined where there is no /proc. */
async function readProcess(pid: number): Promise<ProcessCpu | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat === undefined ? undefined : parseStat(stat)
}

/** The line of /proc/<pid>/stat. The command, in parentheses, may contain spaces and parentheses itself. */
export function parseStat(line: string): ProcessCpu {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const field = (at: number) => Number(fields[at])
  return {
    parent: field(1),
    ownMs: (field(11) + field(12)) * MS_PER_TICK,
    endedChildrenMs: (field(13) + field(14)) * MS_PER_TICK,
  }
}
