import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Statement } from './record-statements.ts'

const run = promisify(execFile)

/** The statements of one approval, and the values in them that belong to it alone. */
export interface RecordedApproval {
  statements: Statement[]
  commentId: string
  eventId: string
}

export interface PgbenchRun {
  databaseUrl: string
  clients: number
  transaction: RecordedApproval
  /** The comments to decide. */
  ids: string[]
}

export function hasPgbench(): Promise<boolean> {
  return run('pgbench', ['--version']).then(
    () => true,
    () => false,
  )
}

/** Transactions per second of the recorded statements in PostgreSQL's own tool. It has no lists, so a table holds the next comment. */
export async function approveByPgbench(how: PgbenchRun): Promise<number> {
  const { databaseUrl, ids } = how
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query(
      'drop table if exists bench_turn; drop sequence if exists bench_turns; create sequence bench_turns',
    )
    await client.query('create table bench_turn (turn bigint primary key, comment_id text not null)')
    await client.query(
      'insert into bench_turn select turn, id from unnest($1::text[]) with ordinality as given(id, turn)',
      [ids],
    )
    return await transactionsPerSecond(how)
  } finally {
    await client.query('drop table bench_turn; drop sequence bench_turns')
    await client.end()
  }
}

async function transactionsPerSecond({ databaseUrl, clients, transaction, ids }: PgbenchRun): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-bench-'))
  try {
    const script = join(folder, 'decision.sql')
    const { text, variables } = scriptOf(transaction)
    await writeFile(script, text)
    const { stdout } = await run('pgbench', [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${clients}`,
      '--jobs=2',
      `--file=${script}`,
      `--transactions=${Math.floor(ids.length / clients)}`,
      ...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
      databaseUrl,
    ])
    const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
    if (rate === undefined) throw new Error(`pgbench said nothing of its rate:\n${stdout}`)
    return Number(rate)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Text is passed with `-D`, so that a colon in it isn't read as a variable; the id and the event become variables. */
function scriptOf({ statements, commentId, eventId }: RecordedApproval) {
  const variables: Record<string, string> = {}
  const literalFor = (value: unknown, name: string): string => {
    if (value === commentId) return ':id'
    if (value === eventId) return ':event'
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return `${value}`
    variables[name] = asText(value)
    return `:${name}`
  }
  const turn = `select comment_id as id from bench_turn where turn = (select nextval('bench_turns')) \\gset`
  const lines = statements.map(({ text, values }, number) => {
    const sql = text
      .replaceAll(/\$(\d+)/g, (_, position) => literalFor(values[position - 1], `v${number}_${position}`))
      .replaceAll(/\s+/g, ' ')
      .trim()
    return sql.includes('as "eventId"') ? `${sql.replace('"eventId"', 'event')} \\gset` : `${sql};`
  })
  return { text: `${[turn, ...lines].join('\n')}\n`, variables }
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(asText(item))).join(',')}}`
  return value instanceof Date ? value.toISOString() : String(value)
}
