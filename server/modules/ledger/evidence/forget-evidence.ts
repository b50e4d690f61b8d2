import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { deleteBatch } from '#server/core/database/delete-batch.ts'
import { execute, sql } from '#server/core/db.ts'

/**
 * Deletes a batch of what items said before, and of what was reported, once its item has been closed for so many days. True if there may be more. Uses
 * review_evidence_replaced_at and review_item_said.
 */
export async function forgetEvidence(ctx: Ctx, days: number): Promise<boolean> {
  const since = sql`${ctx.now()}::timestamptz - make_interval(days => ${days})`
  const more = await deleteBatch(
    ctx,
    sql`
    delete from review_evidence where ctid = any(array(
      select e.ctid from review_evidence e
      where e.replaced_at <= ${since} and not exists (
        select from review_item i
        where i.subject_type = e.subject_type and i.subject_id = e.subject_id and i.kind = e.kind and (i.closed_at is null or i.closed_at > ${since}))
      limit ${BATCH_SIZE} for update skip locked))`,
  )
  const emptied = await execute(
    ctx,
    sql`
    update review_item set title = null, text = null where (subject_type, subject_id, kind) in (
      select subject_type, subject_id, kind from review_item
      where kind = 'reported' and closed_at <= ${since} and (title is not null or text is not null)
      limit ${BATCH_SIZE} for no key update skip locked)`,
  )
  return more || emptied === BATCH_SIZE
}

/** Deletes what erased subjects said before. */
export async function eraseEvidence(ctx: Ctx, type: string, ids: string[]): Promise<void> {
  await execute(ctx, sql`delete from review_evidence where subject_type = ${type} and subject_id = any(${ids}::text[])`)
}
