import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { readBulk } from '#server/modules/review/bulk/read-bulk.ts'
import { HELD_WHILE_WORKING_MS } from '#server/modules/review/bulk/run-bulk.ts'
import type { BulkInput, BulkProgress } from '#server/modules/review/bulk/schema.ts'

/**
 * Undoes one of the caller's own bulk actions, even while it is running: from here on `runBulk` undoes the decisions already
 * made and leaves the other items unchanged. Fails with NOT_FOUND for a colleague's, CHANGED once its undo time is over or it
 * was undone already.
 */
export function undoBulk(ctx: Ctx, input: BulkInput): Promise<BulkProgress> {
  return inTransaction(ctx, async (ctx) => {
    await readBulk(ctx, input)
    const marked = await execute(
      ctx,
      sql`
      update bulk set undone_at = ${ctx.now()}, finished_at = null, worked_at = ${ctx.now()}
      where bulk_id = ${input.bulkId} and made_by = ${actingUserId(ctx) ?? null} and undone_at is null`,
    )
    if (marked === 0 || !(await keepUnpublished(ctx, input))) throw new DomainError('CHANGED')
    await recordAudit(ctx, { action: 'bulk.undone', subjectType: 'bulk', subjectId: input.bulkId })
    return readBulk(ctx, input)
  })
}

/** Keeps unpublished events held until they are undone. Returns false if everything was published already. */
async function keepUnpublished(ctx: Ctx, { bulkId }: BulkInput): Promise<boolean> {
  const kept = await query(
    ctx,
    sql`
    update event e set releases_at = ${new Date(ctx.now().getTime() + HELD_WHILE_WORKING_MS)}
    from decision d where d.bulk_id = ${bulkId} and e.event_id = d.event_id and e.state = 'held' and e.releases_at > ${ctx.now()}
    returning e.event_id::text as event_id`,
  )
  if (kept.length > 0) return true
  const published = await queryOne(
    ctx,
    sql`select true as published from decision where bulk_id = ${bulkId} and undone_at is null limit 1`,
  )
  return published === undefined
}
