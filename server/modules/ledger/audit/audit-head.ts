import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { isSame, macOf } from '#server/modules/ledger/audit/sign-row.ts'

/** What stands for the seal before the first one. */
export const GENESIS = Buffer.alloc(32)

/**
 * How far the log is sealed, signed with DOCKET_SECRET. It is kept in the table `audit_head`, in a file of the home, in the
 * memory of each process that seals and in its output, so that an attacker who truncates the log would have to change all of
 * them.
 */
export const Head = z.object({
  /** Incremented each time somebody accepts that history is lost: a head of a higher generation replaces those of lower ones. */
  generation: z.number().int().positive(),
  /** Of the last seal. */
  seq: z.string().regex(/^\d+$/),
  /** How many rows are sealed. */
  count: z.string().regex(/^\d+$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
})
export type Head = z.output<typeof Head>

export const SignedHead = Head.extend({ mac: z.string().regex(/^[0-9a-f]{64}$/) })
export type SignedHead = z.output<typeof SignedHead>

export function signHead(key: Buffer, head: Head): SignedHead {
  return { ...head, mac: macOfHead(key, head).toString('hex') }
}

/** The head, if it is valid and signed with this key. */
export function openHead(key: Buffer, value: unknown): Head | undefined {
  const parsed = SignedHead.safeParse(value)
  if (!parsed.success) return undefined
  const { mac, ...head } = parsed.data
  return isSame(Buffer.from(mac, 'hex'), macOfHead(key, head)) ? head : undefined
}

function macOfHead(key: Buffer, { generation, seq, count, hash, at }: Head): Buffer {
  return macOf(key, 'docket audit head 1', [String(generation), seq, count, hash, at])
}

export function isHigher(head: Head, than: Head | undefined): boolean {
  if (than === undefined || head.generation !== than.generation) return head.generation > (than?.generation ?? 0)
  return BigInt(head.seq) > BigInt(than.seq)
}

export function highestOf(heads: (Head | undefined)[]): Head | undefined {
  return heads.reduce((highest, head) => (head !== undefined && isHigher(head, highest) ? head : highest), undefined)
}

/** What a process knows apart from the database; see `openHeadStore`. */
export interface KnownHead {
  head?: Head | undefined
  problem?: string | undefined
}

export interface LastSeal {
  seq: string
  hash: string
}

/** The end of the chain, the known heads, and any mismatch between them. */
export interface ChainEndState {
  last?: LastSeal
  /** The highest signed head; absent before the first seal. */
  head?: Head
  problem?: string
}

interface EndRow {
  seq: string | null
  hash: Uint8Array | null
  generation: string | null
  headSeq: string | null
  count: string | null
  headHash: Uint8Array | null
  at: Date | null
  mac: Uint8Array | null
  hashAtHead: Uint8Array | null
  hashAtKnown: Uint8Array | null
}

/** Reads both ends in one statement, by primary key, and checks every signed head against the chain. */
export async function readChainEnd(ctx: Ctx, key: Buffer, known: KnownHead): Promise<ChainEndState> {
  const row = await queryOne<EndRow>(
    ctx,
    sql`
    select last.seq::text as seq, last.hash, h.generation::text as generation, h.seq::text as head_seq,
      h.count::text as count, h.hash as head_hash, h.at, h.mac,
      (select s.hash from audit_seal s where s.seq = h.seq) as hash_at_head,
      (select s.hash from audit_seal s where s.seq = ${known.head?.seq ?? null}::bigint) as hash_at_known
    from (select) as always
    left join lateral (select s.seq, s.hash from audit_seal s order by s.seq desc limit 1) last on true
    left join audit_head h on h.id = 1`,
  )
  const last = row === undefined ? undefined : lastSealOf(row)
  const stored = row === undefined || row.mac === null ? undefined : openHead(key, headOf(row))
  const head = highestOf([known.head, stored])
  const problem =
    known.problem ??
    (row?.mac != null && stored === undefined
      ? 'the head in audit_head is not signed with this DOCKET_SECRET'
      : undefined) ??
    lostHead(row?.mac != null, head, last) ??
    [
      { head: stored, hash: row?.hashAtHead },
      { head: known.head, hash: row?.hashAtKnown },
    ]
      .filter((other) => other.head?.generation === head?.generation)
      .map((other) => faultAt(other.head, other.hash, last))
      .find((fault) => fault !== undefined) ??
    (head !== undefined && last !== undefined && BigInt(last.seq) > BigInt(head.seq)
      ? `seal ${last.seq} was not made by Docket: the log was sealed up to seal ${head.seq}`
      : undefined)
  return { ...(last && { last }), ...(head && { head }), ...(problem !== undefined && { problem }) }
}

function lastSealOf({ seq, hash }: EndRow): LastSeal | undefined {
  if (seq === null || hash === null) return undefined
  return { seq, hash: Buffer.from(hash).toString('hex') }
}

function headOf(row: EndRow): unknown {
  return {
    generation: Number(row.generation),
    seq: row.headSeq,
    count: row.count,
    hash: Buffer.from(row.headHash ?? []).toString('hex'),
    at: row.at?.toISOString(),
    mac: Buffer.from(row.mac ?? []).toString('hex'),
  }
}

/** A log that was sealed has a head in the database. */
function lostHead(isStored: boolean, head: Head | undefined, last: LastSeal | undefined): string | undefined {
  if (isStored || (head === undefined && last === undefined)) return undefined
  return head === undefined
    ? 'the signed head of the log is missing from audit_head'
    : `the log is not the one that was sealed up to seal ${head.seq} at ${head.at}: its signed head is missing from audit_head`
}

function faultAt(
  head: Head | undefined,
  hash: Uint8Array | null | undefined,
  last: LastSeal | undefined,
): string | undefined {
  if (head === undefined || head.seq === '0') return undefined
  if (BigInt(last?.seq ?? '0') < BigInt(head.seq)) {
    return `the log ends at seal ${last?.seq ?? '0'}, but was sealed up to seal ${head.seq} at ${head.at}`
  }
  if (hash == null) return `seal ${head.seq}, which was made at ${head.at}, is missing`
  if (Buffer.from(hash).toString('hex') === head.hash) return undefined
  return `seal ${head.seq} is not the one that was made at ${head.at}: the log was sealed anew`
}
