import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'

/** How long what happened can be read and sent again. */
export const KEPT_DAYS = 30

/**
 * Removes events a month after they happened, but for the last: from its number the next one counts on. True where more waits than one round takes.
 * Uses event_created; rows that someone else is removing are left to them.
 */
export async function forgetEvents(ctx: Ctx): Promise<boolean> {
  const happenedBefore = new Date(ctx.now().getTime() - KEPT_DAYS * 24 * 3_600_000)
  const forgotten = await queryOne<{ count: number }>(
    ctx,
    Prisma.sql`
    with forgotten as (
      delete from event where event_id in (
        select event_id from event
        where created_at < ${happenedBefore} and state <> 'held' and seq < (select max(seq) from event)
        order by created_at limit ${BATCH_SIZE} for update skip locked)
      returning 1)
    select count(*)::int as count from forgotten`,
  )
  return forgotten?.count === BATCH_SIZE
}
