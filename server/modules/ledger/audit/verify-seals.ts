import type { Ctx } from '#server/core/ctx.ts'
import { joinedRow } from '#server/core/database/row-maker.ts'
import { query, sql } from '#server/core/db.ts'
import { GENESIS } from '#server/modules/ledger/audit/audit-head.ts'
import { findTextProblems, type RowWithText, TEXT_COLUMNS } from '#server/modules/ledger/audit/check-texts.ts'
import {
  isSame,
  isSigned,
  macOf,
  rowFields,
  STORED_COLUMNS,
  type StoredRow,
} from '#server/modules/ledger/audit/sign-row.ts'

/** How far the chain is valid. */
export interface ChainEnd {
  seq: bigint
  hash: Buffer
}

export const CHAIN_START: ChainEnd = { seq: 0n, hash: GENESIS }

/** Each seal is an HMAC over its number, the row and the previous seal: nothing can be changed, left out or inserted. */
export function sealOf(key: Buffer, seal: { before: Uint8Array; seq: string; row: StoredRow }): Buffer {
  const { before, seq, row } = seal
  return macOf(key, 'docket audit seal 2', [before, seq, row.auditId, ...rowFields(row), row.nonce, row.mac])
}

export interface VerifiedSeals {
  end: ChainEnd
  isAtEnd: boolean
  problem?: string
}

interface VerifyFrom {
  key: Buffer
  end: ChainEnd
  /** Seals known from elsewhere. */
  expected?: KnownSeal[]
}

export interface KnownSeal {
  seq: string
  hash: string
  /** Whose it is, in words. */
  of: string
}

/** Recomputes the next seals after a point where the chain is known to be valid, and checks the texts of their rows. */
export async function verifySeals(ctx: Ctx, from: VerifyFrom, most: number): Promise<VerifiedSeals> {
  let { end } = from
  const seals = await readSeals(ctx, end.seq, most)
  const textProblems = await findTextProblems(
    ctx,
    from.key,
    seals.flatMap(({ row }) => row ?? []),
  )
  for (const seal of seals) {
    const problem = problemOf(seal, { ...from, end }) ?? textProblems.get(seal.sealedId)
    if (problem !== undefined) return { end, problem, isAtEnd: false }
    end = { seq: end.seq + 1n, hash: Buffer.from(seal.hash) }
  }
  return { end, isAtEnd: seals.length < most }
}

interface Seal {
  seq: string
  hash: Uint8Array
  sealedId: string
  /** Null where it is missing. */
  row: RowWithText | null
}

/** Limited before the join, so that each row is looked up by primary key however many rows the log has. */
function readSeals(ctx: Ctx, after: bigint, most: number): Promise<Seal[]> {
  return query<Seal>(
    ctx,
    sql`
    select s.seq::text as seq, s.hash, s.audit_id::text as sealed_id, ${joinedRow('row')}, a.*
    from (select * from audit_seal where seq > ${String(after)}::bigint order by seq limit ${most}) s
    left join lateral (
      select ${STORED_COLUMNS}, ${TEXT_COLUMNS}
      from audit a left join audit_text t on t.audit_id = a.audit_id where a.audit_id = s.audit_id offset 0) a on true
    order by s.seq`,
  )
}

function problemOf({ row, ...seal }: Seal, { key, end, expected }: VerifyFrom): string | undefined {
  const seq = String(end.seq + 1n)
  if (seal.seq !== seq) return `seal ${seq} is missing`
  if (row === null) return `audit row ${seal.sealedId} (seal ${seq}) is missing`
  const right = sealOf(key, { before: end.hash, seq, row })
  if (!isSame(seal.hash, right)) return `audit row ${row.auditId} does not match seal ${seq}`
  if (!isSigned(key, row)) return `audit row ${row.auditId} does not match its signature`
  const other = expected?.find((known) => known.seq === seq && known.hash !== right.toString('hex'))
  return other && `seal ${seq} is not ${other.of}`
}
