import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { type Head, type KnownHead, readChainEnd } from '#server/modules/ledger/audit/audit-head.ts'
import { findWeakGuard } from '#server/modules/ledger/audit/check-guards.ts'
import { findTextProblems, type RowWithText, TEXT_COLUMNS } from '#server/modules/ledger/audit/check-texts.ts'
import { isSigned, STORED_COLUMNS, unsignedProblem } from '#server/modules/ledger/audit/sign-row.ts'
import {
  CHAIN_START,
  type ChainEnd,
  type KnownSeal,
  type VerifiedSeals,
  verifySeals,
} from '#server/modules/ledger/audit/verify-seals.ts'

/**
 * A point of the chain, kept outside the database and the home: it reveals a tail that was cut off or rewritten, whatever else
 * was lost.
 */
export const Checkpoint = z.object({ seq: z.string().regex(/^\d+$/), hash: z.string().regex(/^[0-9a-f]{64}$/) })
export type Checkpoint = z.output<typeof Checkpoint>

export interface Verdict {
  verified: boolean
  /** How far the chain is valid. */
  sealedTo: Checkpoint
  /** The signed head that the log was checked against; absent before the first seal. */
  head?: Head
  /** Rows that are committed and not yet sealed. */
  unsealed: number
  /** The first problem, in words: the first bad row. */
  problem?: string
  problems: string[]
}

export interface Outside {
  checkpoint?: Checkpoint | undefined
  /** The head in the home's file, or in this process; read before the database. */
  known?: KnownHead | undefined
}

const ROWS_PER_BATCH = 20_000

/**
 * Checks the chain from its beginning: recomputes every seal and every text digest, compares the end with every signed head,
 * looks for rows outside the chain, and includes the findings of the background check.
 */
export async function verifyChain(ctx: Ctx, key: Buffer, { checkpoint, known = {} }: Outside = {}): Promise<Verdict> {
  const state = await readChainEnd(ctx, key, known)
  const expected = [
    ...(checkpoint === undefined ? [] : [{ ...checkpoint, of: "the checkpoint's" }]),
    ...(state.head === undefined ? [] : [{ ...state.head, of: 'the one that was signed' }]),
  ]
  const walked = await walkSeals(ctx, { key, expected })
  const found = [
    state.problem,
    walked.problem,
    missedCheckpoint(walked.end, checkpoint),
    ...(await findOutside(ctx, key)),
    ...(await readNoted(ctx)),
  ]
  const problems = [...new Set(found.filter((problem) => problem !== undefined))]
  const [problem] = problems
  return {
    verified: problem === undefined,
    sealedTo: { seq: String(walked.end.seq), hash: walked.end.hash.toString('hex') },
    ...(state.head && { head: state.head }),
    unsealed: await countUnsealed(ctx),
    ...(problem !== undefined && { problem }),
    problems,
  }
}

async function walkSeals(ctx: Ctx, how: { key: Buffer; expected: KnownSeal[] }): Promise<VerifiedSeals> {
  let end = CHAIN_START
  for (;;) {
    const walked = await verifySeals(ctx, { ...how, end }, ROWS_PER_BATCH)
    if (walked.problem !== undefined || walked.isAtEnd) return walked
    end = walked.end
  }
}

function missedCheckpoint(end: ChainEnd, checkpoint: Checkpoint | undefined): string | undefined {
  if (checkpoint === undefined || BigInt(checkpoint.seq) <= end.seq) return undefined
  return `the chain ends at seal ${end.seq}, before the checkpoint's ${checkpoint.seq}`
}

/** Problems that a walk along the seals can't find. */
async function findOutside(ctx: Ctx, key: Buffer): Promise<(string | undefined)[]> {
  return [
    await findUnchained(ctx),
    await findRejected(ctx),
    await findForged(ctx, key),
    await findCopied(ctx),
    await findStrayWords(ctx),
    await findWeakGuard(ctx),
  ]
}

/** A row without a seal that is not waiting for one either was inserted by hand, or lost its seal. */
export async function findUnchained(ctx: Ctx): Promise<string | undefined> {
  const stray = await queryOne<{ auditId: string }>(
    ctx,
    sql`
    select a.audit_id::text as audit_id from audit a
    where not exists (select from audit_seal s where s.audit_id = a.audit_id)
      and not exists (select from audit_unsealed w where w.audit_id = a.audit_id)
      and not exists (select from audit_rejected r where r.audit_id = a.audit_id)
    order by a.audit_id limit 1`,
  )
  return stray && `audit row ${stray.auditId} has no seal`
}

/** The first row that the sequencer rejected. */
export async function findRejected(ctx: Ctx): Promise<string | undefined> {
  const rejected = await queryOne<{ problem: string }>(
    ctx,
    sql`select problem from audit_rejected order by audit_id limit 1`,
  )
  return rejected?.problem
}

/** Checks the signatures of unsealed rows, because no process may be running that would. */
async function findForged(ctx: Ctx, key: Buffer): Promise<string | undefined> {
  let after = '0'
  for (;;) {
    const rows = await query<RowWithText>(
      ctx,
      sql`
      select ${STORED_COLUMNS}, ${TEXT_COLUMNS}
      from unnest(array(
        select audit_id from audit_unsealed where audit_id > ${after}::bigint order by audit_id limit ${ROWS_PER_BATCH})) as w(audit_id)
      join lateral (select * from audit where audit.audit_id = w.audit_id limit 1) a on true
      left join audit_text t on t.audit_id = w.audit_id order by w.audit_id`,
    )
    const forged = rows.find((row) => !isSigned(key, row))
    if (forged !== undefined) return unsignedProblem(forged)
    const [wordFault] = (await findTextProblems(ctx, key, rows)).values()
    if (wordFault !== undefined) return wordFault
    const last = rows.at(-1)
    if (last === undefined) return undefined
    after = last.auditId
  }
}

/** A row with the same content as another, including its number. */
async function findCopied(ctx: Ctx): Promise<string | undefined> {
  const copied = await queryOne<{ first: string; second: string }>(
    ctx,
    sql`
    select min(audit_id)::text as first, max(audit_id)::text as second from audit
    group by nonce having count(*) > 1 order by min(audit_id) limit 1`,
  )
  return copied && `audit row ${copied.second} is a copy of row ${copied.first}`
}

async function findStrayWords(ctx: Ctx): Promise<string | undefined> {
  const stray = await queryOne<{ auditId: string }>(
    ctx,
    sql`
    select t.audit_id::text as audit_id from audit_text t
    where not exists (select from audit a where a.audit_id = t.audit_id) order by t.audit_id limit 1`,
  )
  return stray && `audit row ${stray.auditId}, which words belong to, is missing`
}

/** What the background check found and has not cleared since. */
async function readNoted(ctx: Ctx): Promise<string[]> {
  const noted = await query<{ problem: string }>(
    ctx,
    sql`select problem from audit_check where problem is not null and walk in ('latest', 'full') order by walk`,
  )
  return noted.map(({ problem }) => problem)
}

export async function countUnsealed(ctx: Ctx): Promise<number> {
  const waiting = await queryOne<{ count: number }>(ctx, sql`select count(*)::int as count from audit_unsealed`)
  return waiting?.count ?? 0
}
