import { type Ctx, UNDO_WINDOW_MS } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { createSetAside } from '#server/core/set-aside.ts'
import { actorOfStaff } from '#server/modules/accounts/access/find-actor.ts'
import { abandonBulk, runBulk } from '#server/modules/review/bulk/run-bulk.ts'

/** The desk that started a bulk keeps calling; one that has not called for this long is gone. */
const LEFT_AFTER_MS = 10_000

const setAside = createSetAside('bulks')

/** Finishes bulks that were interrupted. True if more may be left. Uses bulk_unfinished. */
export async function finishBatch(ctx: Ctx): Promise<boolean> {
  const found = await setAside.workBatch(ctx, async (batch) => {
    const left = await query<{ bulkId: string; madeBy: string }>(
      ctx,
      sql`
      select bulk_id, made_by from bulk
      where finished_at is null and worked_at <= ${new Date(ctx.now().getTime() - LEFT_AFTER_MS)} and ${batch.isTaken(sql`bulk_id`)}
      order by worked_at limit 5`,
    )
    batch.take(left.map(({ bulkId }) => bulkId))
    for (const { bulkId, madeBy } of left) await goOn(ctx, bulkId, madeBy)
  })
  return found > 0
}

/** Runs as the person who started it, within their current permissions; if they are disabled, the bulk ends as it is. */
async function goOn(ctx: Ctx, bulkId: string, madeBy: string): Promise<void> {
  const actor = await actorOfStaff(ctx.pool, madeBy)
  if (actor.kind === 'nobody') return abandonBulk(ctx, { bulkId })
  const asMaker: Ctx = { ...ctx, actor, source: 'desk', undoWindowMs: UNDO_WINDOW_MS }
  let isFinished = false
  while (!isFinished) ({ isFinished } = await runBulk(asMaker, { bulkId }))
}
