import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '#server/core/database/open-database.ts'

/** Adds rows as version 8ab253d did: without a signature, with their words beside them. */
export async function writeUnsigned({ pool }: Database, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const salt = randomBytes(16)
    const text = `words ${index}`
    const digest = createHash('sha256').update(salt).update(text).digest()
    await pool.query(
      `with act as (
        insert into audit (at, actor_kind, source, action, subject_type, subject_id, after, text_digest, request_id)
        values (now(), 'system', 'cli', 'test.before', 'test', $1, '{"b": 1, "a": [1.50, "é"]}', $2, 'r') returning *)
      insert into audit_text (audit_id, salt, text) select audit_id, $3, $4 from act`,
      [randomUUID(), digest, salt, text],
    )
  }
}

/** Seals all pending rows as version 8ab253d did, and returns how many there were. */
export async function sealAsEarlierVersion({ pool }: Database, key: Buffer): Promise<number> {
  const waiting = await pool.query<{ id: string; content: string }>(
    `select a.audit_id::text as id, audit_content(a) as content from audit_unsealed w join audit a on a.audit_id = w.audit_id order by 1`,
  )
  const last = await pool.query<{ seq: string; hash: Buffer }>('select * from audit_seal order by seq desc limit 1')
  let hash = last.rows[0]?.hash ?? Buffer.alloc(32)
  let seq = BigInt(last.rows[0]?.seq ?? '0')
  for (const { id, content } of waiting.rows) {
    seq += 1n
    hash = createHmac('sha256', key).update(hash).update(`${seq}\n`).update(content).digest()
    await pool.query('insert into audit_seal (seq, audit_id, hash) values ($1, $2, $3)', [String(seq), id, hash])
    await pool.query('delete from audit_unsealed where audit_id = $1', [id])
  }
  return waiting.rows.length
}
