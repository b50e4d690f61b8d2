import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { assertMayReadHistory } from '#server/modules/ledger/audit/list-audit.ts'
import type { ChainState } from '#server/modules/ledger/audit/schema.ts'
import { countUnsealed } from '#server/modules/ledger/audit/verify-chain.ts'

interface WalkRow {
  walk: 'latest' | 'full'
  seq: string
  at: Date
  finishedAt: Date | null
  problem: string | null
}

/** How far the worker has checked the chain, as stored; this call checks nothing itself. Fails as `listAudit` does. */
export async function readChain(ctx: Ctx): Promise<ChainState> {
  assertMayReadHistory(ctx)
  const [last, unsealed, walks] = await Promise.all([
    queryOne<{ seq: string }>(ctx, sql`select seq::text as seq from audit_seal order by audit_seal.seq desc limit 1`),
    countUnsealed(ctx),
    query<WalkRow>(
      ctx,
      sql`
      select walk::text as walk, seq::text as seq, checked_at as at, finished_at, problem from audit_check`,
    ),
  ])
  const stateOf = (which: WalkRow['walk']) => {
    const found = walks.find(({ walk }) => walk === which)
    if (found === undefined) return undefined
    const { seq, at, finishedAt, problem } = found
    return { seq, at: at.toISOString(), ...present({ finishedAt: finishedAt?.toISOString(), problem }) }
  }
  return { sealed: last?.seq ?? '0', unsealed, ...present({ latest: stateOf('latest'), whole: stateOf('full') }) }
}
