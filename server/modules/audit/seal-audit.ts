import { createHmac } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query, queryOne } from '#server/core/db.ts'
import { ROWS_A_ROUND } from '#server/core/rounds.ts'

/** Before the first seal. */
export const GENESIS = Buffer.alloc(32)

/** Each seal is an HMAC over its number, the row and the seal before it: nothing can be changed, left out or put in between. */
export function sealOf(key: Buffer, seal: { before: Uint8Array; seq: string; content: string }): Buffer {
  return createHmac('sha256', key).update(seal.before).update(`${seal.seq}\n`).update(seal.content).digest()
}

/** Chains committed rows that have no seal yet; one caller at a time. Says how many. */
export async function sealAudit(ctx: Ctx, key: Buffer): Promise<number> {
  const rows = await query<{ auditId: string; content: string }>(
    ctx,
    Prisma.sql`
    select a.audit_id::text as "auditId", audit_content(a) as content
    from audit_unsealed w join audit a on a.audit_id = w.audit_id order by w.audit_id limit ${ROWS_A_ROUND}`,
  )
  if (rows.length === 0) return 0

  const last = await queryOne<{ seq: string; hash: Uint8Array }>(
    ctx,
    Prisma.sql`
    select seq::text as seq, hash from audit_seal order by audit_seal.seq desc limit 1`,
  )
  let before: Uint8Array = last?.hash ?? GENESIS
  const firstSeq = BigInt(last?.seq ?? '0') + 1n
  const seals = rows.map((row, index) => {
    const seq = String(firstSeq + BigInt(index))
    before = sealOf(key, { before, seq, content: row.content })
    return { seq, auditId: row.auditId, hash: Buffer.from(before).toString('hex') }
  })

  await query(
    ctx,
    Prisma.sql`
    with seals as (
      select * from unnest(${seals.map((seal) => seal.seq)}::text[], ${seals.map((seal) => seal.auditId)}::text[],
        ${seals.map((seal) => seal.hash)}::text[]) as seal(seq, audit_id, hash)),
    written as (
      insert into audit_seal (seq, audit_id, hash) select seq::bigint, audit_id::bigint, decode(hash, 'hex') from seals)
    delete from audit_unsealed using seals where audit_unsealed.audit_id = seals.audit_id::bigint returning 1`,
  )
  return rows.length
}
