import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { SESSION_OPTIONS } from '#server/core/database/open-database.ts'
import { DECISION_FLOOR } from '../../floors/decision.ts'

const run = promisify(execFile)

interface FloorRun {
  databaseUrl: string
  clients: number
  /** The comments to decide. */
  commentIds: string[]
}

/** Decisions per second by one statement each, and what ran them: pgbench, or `pg` where it is not installed. */
export async function measureDecisionFloor({ databaseUrl, clients, commentIds }: FloorRun): Promise<{
  perSecond: number
  by: 'pgbench' | 'pg'
}> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: clients, options: SESSION_OPTIONS })
  const each = Math.floor(commentIds.length / clients)
  try {
    await dropTurns(pool)
    await pool.query('create sequence bench_turns')
    await pool.query('create table bench_turn (turn bigint primary key, comment_id text not null)')
    await pool.query(
      'insert into bench_turn select turn, id from unnest($1::text[]) with ordinality as given(id, turn)',
      [commentIds],
    )
    await pool.query('analyze bench_turn')
    return (await hasPgbench())
      ? { perSecond: await decideByPgbench({ databaseUrl, clients, each }), by: 'pgbench' }
      : { perSecond: await decideByPg(pool, { clients, each }), by: 'pg' }
  } finally {
    await dropTurns(pool)
    await pool.end()
  }
}

async function dropTurns(pool: pg.Pool): Promise<void> {
  await pool.query('drop table if exists bench_turn; drop sequence if exists bench_turns')
}

function hasPgbench(): Promise<boolean> {
  return run('pgbench', ['--version']).then(
    () => true,
    () => false,
  )
}

interface Turns {
  clients: number
  /** How many each of them decides. */
  each: number
}

async function decideByPgbench({ databaseUrl, clients, each }: Turns & { databaseUrl: string }): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-bench-'))
  try {
    const script = join(folder, 'decision.sql')
    await writeFile(script, `${DECISION_FLOOR.replaceAll(/\s+/g, ' ').trim()};\n`)
    const { stdout } = await run(
      'pgbench',
      [
        '--no-vacuum',
        '--protocol=prepared',
        `--client=${clients}`,
        '--jobs=2',
        `--file=${script}`,
        `--transactions=${each}`,
        databaseUrl,
      ],
      { env: { ...process.env, PGOPTIONS: SESSION_OPTIONS } },
    )
    const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
    if (rate === undefined) throw new Error(`pgbench said nothing of its rate:\n${stdout}`)
    return Number(rate)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function decideByPg(pool: pg.Pool, { clients, each }: Turns): Promise<number> {
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let turn = 0; turn < each; turn += 1) await pool.query({ name: 'decision', text: DECISION_FLOOR })
    }),
  )
  return ((clients * each) / (performance.now() - startedAt)) * 1_000
}
