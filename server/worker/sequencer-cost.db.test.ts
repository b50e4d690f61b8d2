import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { signHead } from '#server/modules/ledger/audit/audit-head.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audits.ts'
import { insertHead } from '#server/modules/ledger/audit/seal-audit.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { takeTurns } from '#server/testing/turns.ts'
import { sequenceBatch } from '#server/worker/sequencer.ts'

takeTurns()

/** Set AUDIT_ROWS=1000000 for the full size: the fill takes most of a minute. */
const MANY = Number(process.env.AUDIT_ROWS ?? '150000')
const FEW = 10_000
const WAITING = 27

const { database, url } = await testDatabase()

/** Fills the log, its seals and the events with this many rows, bypassing the triggers, and leaves the tables as autovacuum does. */
async function fillTo(rows: number): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query("set session_replication_role = 'replica'")
    await client.query(`set statement_timeout = 0`)
    const { rows: found } = await client.query<{ count: number }>('select count(*)::int as count from audit')
    const [from, to] = [(found[0]?.count ?? 0) + 1, rows]
    await client.query(`
      insert into audit (at, actor_kind, actor_id, source, action, subject_type, subject_id, community_id, request_id)
      select now() - n * interval '1 s', 'user', 'u' || n % 50, 'desk', 'comment.approved', 'comment', 'c' || n, 'k' || n % 20, 'r' || n
      from generate_series(${from}, ${to}) n`)
    await client.query(`insert into audit_seal (seq, audit_id, hash)
      select (select coalesce(max(seq), 0) from audit_seal) + row_number() over (order by audit_id), audit_id, decode(repeat('00', 32), 'hex')
      from audit where audit_id > (select coalesce(max(audit_id), 0) from audit_seal)`)
    await client.query(`
      insert into event (seq, name, subject_type, subject_id, payload, state, created_at, releases_at)
      select (select coalesce(max(seq), 0) from event) + row_number() over (), 'x', 'comment', 'c' || n, '{}', 'released', now(), now()
      from generate_series(${from}, ${to}) n`)
    // Vacuumed in the middle of a burst: from then on the planner expects long tables.
    await client.query('insert into audit_unsealed select audit_id from audit order by audit_id desc limit 2000')
    await client.query('vacuum audit_unsealed')
    await client.query('delete from audit_unsealed')
    for (const table of ['audit', 'audit_seal', 'audit_text', 'audit_head', 'event', 'tally_delta']) {
      await client.query(`vacuum analyze ${table}`)
    }
  } finally {
    await client.end()
  }
}

/** What is pending for one batch after a burst of decisions, with the tables vacuumed while they were empty. */
async function makeWaiting(): Promise<void> {
  const acts = Array.from({ length: WAITING }, () => ({
    action: 'comment.approved',
    subjectType: 'comment',
    subjectId: randomUUID(),
  }))
  await recordAudits(systemCtx(database), acts)
  await database.pool.query(
    `insert into event (name, subject_type, subject_id, payload, state, created_at, releases_at)
    select 'x', 'comment', 'd' || n, '{}', case when n % 2 = 0 then 'held' else 'released' end::event_state, now(), now() - interval '1 s'
    from generate_series(1, ${WAITING}) n`,
  )
}

interface Cost {
  blocks: number
  ms: number
}

/** One batch in a process that has just started; what it read, and the time in the database. */
async function costOfBatch(): Promise<Cost> {
  await makeWaiting()
  const fresh = openDatabase({ url, connections: 1, onError: () => {} })
  try {
    const ctx = systemCtx(fresh)
    await execute(ctx, sql`select 1`)
    return await inTransaction(
      ctx,
      async (ctx) => {
        const startedAt = performance.now()
        await sequenceBatch(ctx, ctx.auditKey)
        const ms = performance.now() - startedAt
        const read = await queryOne<{ blocks: number }>(
          ctx,
          sql`
          select sum(pg_stat_get_xact_blocks_fetched(c.oid))::int as blocks
          from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'i')`,
        )
        return { blocks: read?.blocks ?? 0, ms }
      },
      { limitMs: 60_000 },
    )
  } finally {
    await fresh.close()
  }
}

async function dearestOf(batches: number): Promise<Cost> {
  const costs: Cost[] = []
  for (let round = 0; round < batches; round += 1) costs.push(await costOfBatch())
  return costs.reduce((worst, cost) => (cost.blocks > worst.blocks ? cost : worst))
}

async function remaining(at: Database): Promise<number> {
  const { rows } = await at.pool.query<{ left: number }>(
    `select (select count(*) from audit_unsealed)::int + (select count(*) from event where seq is null or state = 'held')::int as left`,
  )
  return rows[0]?.left ?? -1
}

test('a batch reads the same whatever the size of the log: a new process finds 27 rows among many as among few', async () => {
  // The first head is signed over the existing rows.
  const first: Ctx = systemCtx(database)
  await makeWaiting()
  await sequenceBatch(first, first.auditKey)

  await fillTo(FEW)
  await takeOver(first)
  const few = await dearestOf(3)
  expect(await remaining(database)).toBe(0)

  await fillTo(MANY)
  await takeOver(first)
  const many = await dearestOf(3)
  expect(await remaining(database)).toBe(0)
  console.log({ rows: [FEW, MANY], few, many })
  expect(many.blocks).toBeLessThanOrEqual(few.blocks * 1.5)
}, 180_000)

/** The filled seals have no signature: signs a head over the last of them, so that the next batch continues from there. */
async function takeOver(ctx: Ctx): Promise<void> {
  const { rows } = await database.pool.query<{ seq: string }>('select max(seq)::text as seq from audit_seal')
  const seq = rows[0]?.seq ?? '0'
  const head = {
    generation: 1,
    seq,
    count: seq,
    hash: '0'.repeat(64),
    at: ctx.now().toISOString(),
    unsignedUntil: null,
  }
  await execute(ctx, insertHead(head, signHead(ctx.auditKey, head).mac))
}
