import { type Ctx, UNDO_WINDOW_MS } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { actorOfStaff } from '#server/modules/accounts/access/find-actor.ts'
import { abandonBulk, runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 5_000
/** The desk that began one calls again and again; one that has not for so long is gone. */
const LEFT_AFTER_MS = 10_000

/** Finishes bulks that were left in the middle: a browser was closed, a connection cut, a process killed. */
export function startFinishingBulks(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'bulks', everyMs: LOOK_EVERY_MS, runBatch: finishRound })
}

/** True where more may be left. Uses bulk_unfinished. */
export async function finishRound(ctx: Ctx): Promise<boolean> {
  const left = await query<{ bulkId: string; madeBy: string }>(
    ctx,
    Prisma.sql`
    select bulk_id as "bulkId", made_by as "madeBy" from bulk
    where finished_at is null and worked_at <= ${new Date(ctx.now().getTime() - LEFT_AFTER_MS)}
    order by worked_at limit 5`,
  )
  for (const { bulkId, madeBy } of left) await goOn(ctx, bulkId, madeBy)
  return left.length > 0
}

/** As the one who began it, as far as they still may; for one who is switched off it ends as it is. */
async function goOn(ctx: Ctx, bulkId: string, madeBy: string): Promise<void> {
  const actor = await actorOfStaff(ctx.pool, madeBy)
  if (actor.kind === 'nobody') return abandonBulk(ctx, { bulkId })
  const asMaker: Ctx = { ...ctx, actor, source: 'desk', undoWindowMs: UNDO_WINDOW_MS }
  let isFinished = false
  while (!isFinished) ({ isFinished } = await runBulk(asMaker, { bulkId }))
}
