import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import type { OwnDay, OwnDayInput } from '#server/modules/review/insights/schema.ts'

/** A longer time between two decisions is a break. */
const BREAK_MS = 300_000
/** Bounds the index range that is read. */
const LOOK_BACK_MS = 48 * 3_600_000

/**
 * How many decisions the caller has made since then, at most 48 hours back, and the median time each took: from one decision to the next,
 * without breaks and bulk actions. Undone decisions don't count. Uses decision_decided_by_decided_at_idx.
 */
export async function readOwnDay(ctx: Ctx, { since }: OwnDayInput): Promise<OwnDay> {
  const from = new Date(Math.max(Date.parse(since), ctx.now().getTime() - LOOK_BACK_MS))
  const day = await queryOne<{ decided: number; medianMs: number | null }>(
    ctx,
    sql`
    select count(*)::int as decided,
      percentile_cont(0.5) within group (order by took_ms) filter (where bulk_id is null and took_ms <= ${BREAK_MS}) as median_ms
    from (
      select bulk_id, extract(epoch from decided_at - lag(decided_at) over (order by decided_at, decision_id)) * 1000 as took_ms
      from decision
      where decided_by = ${actingUserId(ctx) ?? null} and decided_at >= ${from} and undone_at is null) own`,
  )
  return { decided: day?.decided ?? 0, ...(day?.medianMs != null && { medianMs: day.medianMs }) }
}
