import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from '#server/core/db.ts'
import { toJsonbText } from '#server/modules/ledger/audit/jsonb-text.ts'

/** The content of a log row, in the form that is signed: what the program writes equals what it reads back. */
export interface RowContent {
  /** Seconds since 1970 with six decimals. */
  at: string
  actorKind: string
  actorId: string | null
  source: string
  action: string
  subjectType: string
  subjectId: string
  communityId: string | null
  channelId: string | null
  /** As PostgreSQL prints jsonb. */
  before: string | null
  after: string | null
  textDigest: Uint8Array | null
  requestId: string
}

export interface Signature {
  nonce: Uint8Array
  mac: Uint8Array
}

/** A row as it is stored. Its signature is null only if somebody took the constraint away that forbids it. */
export interface StoredRow extends RowContent {
  auditId: string
  nonce: Uint8Array | null
  mac: Uint8Array | null
}

/**
 * A stored row of `audit a`. Only columns, casts and EXTRACT, which no function in the database can replace: verification sees
 * what the row holds.
 */
export const STORED_COLUMNS = sql`
  a.audit_id::text as audit_id, extract(epoch from a.at)::text as at, a.actor_kind, a.actor_id,
  a.source::text as source, a.action, a.subject_type, a.subject_id, a.community_id,
  a.channel_id, a.before::text as before, a.after::text as after, a.text_digest,
  a.request_id, a.nonce, a.mac`

/** Signs a row before it is inserted. The signature covers its number, so a copy can't pass as another act. */
export function signRow(key: Buffer, row: RowContent, now: Date): Signature {
  const nonce = newNonce(now)
  return { nonce, mac: macOf(key, 'docket audit row 2', [nonce, ...rowFields(row)]) }
}

/** Whether the program wrote this row as it is. */
export function isSigned(key: Buffer, row: StoredRow): boolean {
  if (row.nonce === null || row.mac === null) return false
  return isSame(row.mac, macOf(key, 'docket audit row 2', [row.nonce, ...rowFields(row)]))
}

export function unsignedProblem({ auditId }: StoredRow): string {
  return `audit row ${auditId} was not written by Docket: its signature is wrong`
}

export function rowFields(row: RowContent): (string | Uint8Array | null)[] {
  return [
    row.at,
    row.actorKind,
    row.actorId,
    row.source,
    row.action,
    row.subjectType,
    row.subjectId,
    row.communityId,
    row.channelId,
    row.before,
    row.after,
    row.textDigest,
    row.requestId,
  ]
}

/** An HMAC over a purpose and fields, each prefixed with its length: different lists of fields never have the same bytes. */
export function macOf(key: Buffer, purpose: string, fields: (string | Uint8Array | null)[]): Buffer {
  const parts: Uint8Array[] = [Buffer.from(`${purpose}\0`)]
  for (const field of fields) {
    if (field === null) {
      parts.push(NOTHING)
      continue
    }
    const bytes = typeof field === 'string' ? Buffer.from(field) : field
    parts.push(Buffer.from(`${bytes.length}:`), bytes)
  }
  return createHmac('sha256', prepare(key)).update(Buffer.concat(parts)).digest()
}

const NOTHING = Buffer.from('-')
const prepared = new WeakMap<Buffer, KeyObject>()

/** Preparing a key takes four times as long as an HMAC. */
function prepare(key: Buffer): KeyObject {
  const known = prepared.get(key) ?? createSecretKey(key)
  prepared.set(key, known)
  return known
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/** A time as `extract(epoch from at)` prints it. */
export function epochSeconds(at: Date): string {
  const ms = at.getTime()
  const whole = Math.floor(Math.abs(ms) / 1_000)
  return `${ms < 0 ? '-' : ''}${whole}.${String(Math.abs(ms) % 1_000).padStart(3, '0')}000`
}

/** Null if there is nothing, as in storage. */
export function jsonbOf(value: Record<string, unknown> | undefined): string | null {
  return value === undefined ? null : toJsonbText(value)
}

/** Increases with time, so that the index over it grows at one end. */
function newNonce(now: Date): Buffer {
  const nonce = randomBytes(16)
  nonce.writeUIntBE(Math.max(0, now.getTime()), 0, 6)
  return nonce
}
