import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, queryOne, sql } from '#server/core/db.ts'
import { type ChainEndState, type KnownHead, readChainEnd } from '#server/modules/ledger/audit/audit-head.ts'
import { findRejected, findUnchained } from '#server/modules/ledger/audit/verify-chain.ts'
import { CHAIN_START, type ChainEnd, verifySeals } from '#server/modules/ledger/audit/verify-seals.ts'

const SEALS_PER_BATCH = 2_000
/** The time from the end of one full check of the chain to the beginning of the next. */
const WHOLE_EVERY_MS = 86_400_000
/** Even with no new seals the position is written at this interval, to show that the check runs. */
const SAID_EVERY_MS = 60_000

const WALKS = ['latest', 'full'] as const

/** The position of a walk. */
interface Position {
  walk: (typeof WALKS)[number]
  end: ChainEnd
  beganAt: Date
  checkedAt: Date
  finishedAt: Date | null
  problem: string | null
}

/**
 * One batch of both walks along the chain: one follows new seals, the other starts again each day, because a row sealed long
 * ago may be changed today. Each stores its position, and stops at a problem for as long as it lasts. The first also checks the
 * end of the chain against the signed heads. True if one of them has moved.
 */
export async function verifyBatch(ctx: Ctx, key: Buffer, known: KnownHead = {}): Promise<boolean> {
  const [positions, state] = await Promise.all([readPositions(ctx), readChainEnd(ctx, key, known)])
  let hasMoved = false
  for (const walk of WALKS) {
    const now = ctx.now()
    const start = { walk, end: CHAIN_START, beganAt: now, checkedAt: now, finishedAt: null, problem: null }
    const position = positions.find((position) => position.walk === walk) ?? start
    if (await goOn(ctx, { key, state }, position)) hasMoved = true
  }
  return hasMoved
}

interface Checking {
  key: Buffer
  state: ChainEndState
}

async function goOn(ctx: Ctx, { key, state }: Checking, position: Position): Promise<boolean> {
  const now = ctx.now()
  const isResting = position.finishedAt !== null && position.finishedAt >= position.beganAt
  if (isResting && now.getTime() < (position.finishedAt?.getTime() ?? 0) + WHOLE_EVERY_MS) return false

  const from = isResting ? { ...position, end: CHAIN_START, beganAt: now } : position
  const lost = await findLost(ctx, from.end)
  const walked = lost === undefined ? await verifySeals(ctx, { key, end: from.end }, SEALS_PER_BATCH) : undefined
  const fault = lost ?? walked?.problem
  const isFinished = position.walk === 'full' && fault === undefined && walked?.isAtEnd === true
  const reached = {
    ...from,
    end: walked?.end ?? from.end,
    checkedAt: now,
    finishedAt: isFinished ? now : from.finishedAt,
    problem: fault ?? (await problemAfter(ctx, state, from, isFinished)),
  }
  logNewProblem(ctx, position, reached)
  const hasMoved = reached.end.seq !== position.end.seq || isFinished || reached.problem !== position.problem
  if (hasMoved || now.getTime() >= position.checkedAt.getTime() + SAID_EVERY_MS)
    await keepPosition(ctx, position, reached)
  return hasMoved
}

function logNewProblem(ctx: Ctx, before: Position, { problem }: Position): void {
  if (problem !== null && problem !== before.problem) {
    ctx.log.error({ problem }, 'audit: the check of the log found a problem')
  }
}

/** Problems although the seals match. A problem found by one walk remains reported until a full walk has passed it. */
async function problemAfter(
  ctx: Ctx,
  state: ChainEndState,
  { walk, problem }: Position,
  isFinished: boolean,
): Promise<string | null> {
  if (isFinished) return (await findUnchained(ctx)) ?? null
  if (walk === 'full') return problem
  return state.problem ?? (await findRejected(ctx)) ?? null
}

/** A chain that was cut off before the walk's position. */
async function findLost(ctx: Ctx, { seq, hash }: ChainEnd): Promise<string | undefined> {
  if (seq === 0n) return undefined
  const seal = await queryOne<{ isSame: boolean }>(
    ctx,
    sql`select s.hash = ${hash} as is_same from audit_seal s where s.seq = ${String(seq)}::bigint`,
  )
  return seal?.isSame === true ? undefined : `seal ${seq}, which was there before, is not there any more`
}

async function readPositions(ctx: Ctx): Promise<Position[]> {
  const rows = await query<Omit<Position, 'end'> & { seq: string; hash: Uint8Array }>(
    ctx,
    sql`
    select walk::text as walk, seq::text as seq, hash, began_at, checked_at, finished_at,
      problem
    from audit_check where walk in ('latest', 'full')`,
  )
  return rows.map(({ seq, hash, ...position }) => ({ ...position, end: { seq: BigInt(seq), hash: Buffer.from(hash) } }))
}

/** Compare-and-set: of two processes that did the same walk, one stores it. */
async function keepPosition(ctx: Ctx, before: Position, { walk, end, ...reached }: Position): Promise<void> {
  await execute(
    ctx,
    sql`
    insert into audit_check (walk, seq, hash, began_at, checked_at, finished_at, problem)
    values (${walk}::audit_walk, ${String(end.seq)}::bigint, ${end.hash}, ${reached.beganAt}, ${reached.checkedAt}, ${reached.finishedAt},
      ${reached.problem})
    on conflict (walk) do update set seq = excluded.seq, hash = excluded.hash, began_at = excluded.began_at,
      checked_at = excluded.checked_at, finished_at = excluded.finished_at, problem = excluded.problem
    where audit_check.checked_at = ${before.checkedAt} and audit_check.seq = ${String(before.end.seq)}::bigint`,
  )
}
