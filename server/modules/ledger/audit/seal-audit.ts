import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import { GENESIS, type Head, type KnownHead, readChainEnd, signHead } from '#server/modules/ledger/audit/audit-head.ts'
import type { HeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { isSigned, STORED_COLUMNS, type StoredRow, unsignedProblem } from '#server/modules/ledger/audit/sign-row.ts'
import { type ChainEnd, sealOf } from '#server/modules/ledger/audit/verify-seals.ts'
import { whileAlone } from '#server/modules/ledger/while-alone.ts'

/**
 * Seals committed rows in a transaction of its own, so that problems in the log never stop the numbering of events. Seals
 * nothing at or below the head, and no row that the program did not write. Returns how many rows it sealed.
 */
export async function sealAudit(ctx: Ctx, key: Buffer, heads?: HeadStore): Promise<number> {
  const known = (await heads?.known()) ?? {}
  const batch = await whileAlone(ctx, 'log', (ctx) => sealBatch(ctx, key, known))
  if (batch === undefined) return 0
  heads?.stopSealing(batch.problem)
  if (batch.head !== undefined) heads?.keep(batch.head)
  return batch.sealed
}

interface Batch {
  sealed: number
  head?: Head
  problem?: string
}

async function sealBatch(ctx: Ctx, key: Buffer, known: KnownHead): Promise<Batch> {
  const { head, problem } = await readChainEnd(ctx, key, known)
  if (problem !== undefined) return { sealed: 0, problem }
  return sealRows(ctx, key, head ?? firstHead(ctx.now()))
}

function firstHead(now: Date): Head {
  return { generation: 1, seq: '0', count: '0', hash: GENESIS.toString('hex'), at: now.toISOString() }
}

type WaitingRow = { waitingId: string; isSealed: boolean } & (FoundRow | { isThere: false })
type FoundRow = StoredRow & { isThere: true }

async function sealRows(ctx: Ctx, key: Buffer, head: Head): Promise<Batch> {
  const waiting = await readWaiting(ctx)
  const isGood = (row: WaitingRow): row is WaitingRow & FoundRow => row.isThere && !row.isSealed && isSigned(key, row)
  const rows = waiting.filter(isGood)
  const others = waiting.filter((row) => !isGood(row))
  if (others.length > 0) await rejectRows(ctx, others)

  let end = endOf(head)
  const seals = rows.map((row) => {
    const seq = end.seq + 1n
    end = { seq, hash: sealOf(key, { before: end.hash, seq: String(seq), row }) }
    return { seq: String(seq), auditId: row.auditId, hash: end.hash.toString('hex') }
  })
  const next = moved(head, end, ctx.now())
  await writeSeals(ctx, key, seals, next)
  return { sealed: rows.length, head: next }
}

/**
 * The next unsealed rows. Selects ids as an array and then looks them up one by one: a join would be planned for the size the
 * table of unsealed rows once had, and might read the whole log.
 */
function readWaiting(ctx: Ctx): Promise<WaitingRow[]> {
  return query<WaitingRow>(
    ctx,
    sql`
    select w.audit_id::text as waiting_id, a.audit_id is not null as is_there,
      exists (select from audit_seal s where s.audit_id = w.audit_id) as is_sealed, a.*
    from unnest(array(select audit_id from audit_unsealed order by audit_id limit ${BATCH_SIZE})) as w(audit_id)
    left join lateral (select ${STORED_COLUMNS} from audit a where a.audit_id = w.audit_id limit 1) a on true
    order by w.audit_id`,
  )
}

/** Rejected rows never get a seal. They are stored for `audit verify`, and don't block others. */
async function rejectRows(ctx: Ctx, rows: WaitingRow[]): Promise<void> {
  const found = rows.map((row) => ({ id: row.waitingId, problem: problemOf(row) }))
  for (const { problem } of found) ctx.log.error({ problem }, 'audit: a row is not sealed')
  await execute(
    ctx,
    sql`
    with found as (
      select id::bigint, problem
      from unnest(${found.map(({ id }) => id)}::text[], ${found.map(({ problem }) => problem)}::text[]) as found(id, problem)),
    kept as (
      insert into audit_rejected (audit_id, found_at, problem) select id, ${ctx.now()}, problem from found on conflict do nothing)
    delete from audit_unsealed using found where audit_unsealed.audit_id = found.id`,
  )
}

function problemOf(row: WaitingRow): string {
  if (!row.isThere) return `audit row ${row.waitingId} is missing: it was there and waited for its seal`
  return row.isSealed ? `audit row ${row.waitingId} was to be sealed a second time` : unsignedProblem(row)
}

/** Writes seals and head in one statement, in the transaction that read both, so that the table's head is never behind. */
async function writeSeals(
  ctx: Ctx,
  key: Buffer,
  seals: { seq: string; auditId: string; hash: string }[],
  head: Head,
): Promise<void> {
  const { mac } = signHead(key, head)
  await execute(
    ctx,
    sql`
    with seals as (
      select * from unnest(${seals.map((seal) => seal.seq)}::text[], ${seals.map((seal) => seal.auditId)}::text[],
        ${seals.map((seal) => seal.hash)}::text[]) as seal(seq, audit_id, hash)),
    written as (
      insert into audit_seal (seq, audit_id, hash)
      select seq::bigint, audit_id::bigint, decode(hash, 'hex') from seals),
    sealed as (delete from audit_unsealed using seals where audit_unsealed.audit_id = seals.audit_id::bigint)
    ${insertHead(head, mac)}`,
  )
}

/** The end of a statement that writes the head. */
export function insertHead(head: Head, mac: string): Sql {
  return sql`
    insert into audit_head (id, generation, seq, count, hash, at, mac)
    values (1, ${String(head.generation)}::bigint, ${head.seq}::bigint, ${head.count}::bigint, ${Buffer.from(head.hash, 'hex')},
      ${head.at}::timestamptz, ${Buffer.from(mac, 'hex')})
    on conflict (id) do update set generation = excluded.generation, seq = excluded.seq, count = excluded.count, hash = excluded.hash,
      at = excluded.at, mac = excluded.mac`
}

function endOf({ seq, hash }: Head): ChainEnd {
  return { seq: BigInt(seq), hash: Buffer.from(hash, 'hex') }
}

function moved(head: Head, end: ChainEnd, now: Date): Head {
  const count = BigInt(head.count) + end.seq - BigInt(head.seq)
  return { ...head, seq: String(end.seq), count: String(count), hash: end.hash.toString('hex'), at: now.toISOString() }
}
