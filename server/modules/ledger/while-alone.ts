import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'

/** Shared by those who take a step; `accept-restore` holds it alone. */
export const SEQUENCER_LOCK = 72_707_370

/** What puts committed rows in order, each in one process at a time. */
type Step = 'events' | 'deliveries' | 'log' | 'counts' | 'texts'
const STEP_LOCKS: Record<Step, number> = {
  events: 72_707_371,
  deliveries: 72_707_372,
  log: 72_707_373,
  counts: 72_707_374,
  texts: 72_707_375,
}

/** Runs `work` in a transaction in which no other process takes this step; returns undefined where one does. */
export function whileAlone<Result>(
  ctx: Ctx,
  step: Step,
  work: (ctx: Ctx) => Promise<Result>,
): Promise<Result | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const lock = await queryOne<{ mine: boolean }>(
      ctx,
      sql`
      select pg_try_advisory_xact_lock_shared(${SEQUENCER_LOCK}::bigint)
        and pg_try_advisory_xact_lock(${STEP_LOCKS[step]}::bigint) as mine`,
    )
    return lock?.mine === true ? work(ctx) : undefined
  })
}
