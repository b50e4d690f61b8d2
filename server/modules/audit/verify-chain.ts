import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query, queryOne } from '#server/core/db.ts'
import { GENESIS, sealOf } from '#server/modules/audit/seal-audit.ts'

/** A point of the chain, kept outside the database: with it a tail that was cut off or written anew is found too. */
export const Checkpoint = z.object({ seq: z.string().regex(/^\d+$/), hash: z.string().regex(/^[0-9a-f]{64}$/) })
export type Checkpoint = z.output<typeof Checkpoint>

export interface Verdict {
  verified: boolean
  /** Up to where the chain holds. */
  sealedTo: Checkpoint
  /** Rows that are committed and not yet sealed. */
  unsealed: number
  /** The first bad row, in words. */
  problem?: string
}

const ROWS_A_ROUND = 20_000

/** Walks the chain from its beginning, recomputes every seal and looks for rows that stand outside of it. */
export async function verifyChain(ctx: Ctx, key: Buffer, checkpoint?: Checkpoint): Promise<Verdict> {
  const walked = await walkSeals(ctx, key, checkpoint)
  const problem = walked.problem ?? missedCheckpoint(walked.end, checkpoint) ?? (await findUnchained(ctx))
  return {
    verified: problem === undefined,
    sealedTo: { seq: String(walked.end.seq), hash: walked.end.hash.toString('hex') },
    unsealed: await countUnsealed(ctx),
    ...(problem !== undefined && { problem }),
  }
}

/** How far the chain holds. */
export interface ChainEnd {
  seq: bigint
  hash: Buffer
}

export const CHAIN_START: ChainEnd = { seq: 0n, hash: GENESIS }

interface Walked {
  end: ChainEnd
  problem?: string
}

async function walkSeals(ctx: Ctx, key: Buffer, checkpoint: Checkpoint | undefined): Promise<Walked> {
  let end = CHAIN_START
  for (;;) {
    const walked = await walkOn(ctx, { key, end, checkpoint }, ROWS_A_ROUND)
    if (walked.problem !== undefined || walked.isAtEnd) return walked
    end = walked.end
  }
}

/** Recomputes the next seals after a place where the chain is known to hold. */
export async function walkOn(ctx: Ctx, from: Expected, most: number): Promise<Walked & { isAtEnd: boolean }> {
  let { end } = from
  const seals = await readSeals(ctx, end.seq, most)
  for (const seal of seals) {
    const problem = faultOf(seal, { ...from, end })
    if (problem !== undefined) return { end, problem, isAtEnd: false }
    end = { seq: end.seq + 1n, hash: Buffer.from(seal.hash) }
  }
  return { end, isAtEnd: seals.length < most }
}

function missedCheckpoint(end: ChainEnd, checkpoint: Checkpoint | undefined): string | undefined {
  if (checkpoint === undefined || BigInt(checkpoint.seq) <= end.seq) return undefined
  return `the chain ends at seal ${end.seq}, before the checkpoint's ${checkpoint.seq}`
}

interface Seal {
  seq: string
  auditId: string
  hash: Uint8Array
  content: string | null
}

function readSeals(ctx: Ctx, after: bigint, most: number): Promise<Seal[]> {
  return query<Seal>(
    ctx,
    Prisma.sql`
    select s.seq::text as seq, s.audit_id::text as "auditId", s.hash, case when a.audit_id is not null then audit_content(a) end as content
    from audit_seal s left join audit a on a.audit_id = s.audit_id
    where s.seq > ${String(after)}::bigint order by s.seq limit ${most}`,
  )
}

interface Expected {
  key: Buffer
  end: ChainEnd
  checkpoint?: Checkpoint | undefined
}

function faultOf(seal: Seal, { key, end, checkpoint }: Expected): string | undefined {
  const seq = String(end.seq + 1n)
  if (seal.seq !== seq) return `seal ${seq} is missing`
  if (seal.content === null) return `audit row ${seal.auditId} (seal ${seq}) is missing`
  const right = sealOf(key, { before: end.hash, seq, content: seal.content })
  if (seal.hash.length !== right.length || !timingSafeEqual(seal.hash, right)) {
    return `audit row ${seal.auditId} does not match seal ${seq}`
  }
  if (checkpoint?.seq === seq && checkpoint.hash !== right.toString('hex')) return `seal ${seq} is not the checkpoint's`
  return undefined
}

/** A row that no seal names and that does not wait for one was put in by hand, or lost its seal. */
export async function findUnchained(ctx: Ctx): Promise<string | undefined> {
  const stray = await queryOne<{ auditId: string }>(
    ctx,
    Prisma.sql`
    select a.audit_id::text as "auditId" from audit a
    where not exists (select from audit_seal s where s.audit_id = a.audit_id)
      and not exists (select from audit_unsealed w where w.audit_id = a.audit_id)
    order by a.audit_id limit 1`,
  )
  return stray && `audit row ${stray.auditId} has no seal`
}

export async function countUnsealed(ctx: Ctx): Promise<number> {
  const waiting = await queryOne<{ count: number }>(ctx, Prisma.sql`select count(*)::int as count from audit_unsealed`)
  return waiting?.count ?? 0
}
