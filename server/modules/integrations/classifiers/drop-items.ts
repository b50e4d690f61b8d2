import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { WAITING_LIMIT, WAITS_HOURS } from '#server/modules/integrations/classifiers/schema.ts'

const DROPPED_A_BATCH = 5_000

/**
 * Drops what waited for hours, and the oldest beyond the limit of a classifier, and counts it. Returns true if more may be left. Uses
 * classifier_item_classifier_id_requested_at_idx.
 */
export async function dropItems(ctx: Ctx): Promise<boolean> {
  const before = new Date(ctx.now().getTime() - WAITS_HOURS * 3_600_000)
  const dropped = await queryOne<{ most: number }>(
    ctx,
    sql`
    with locked as (
      select c.classifier_id from classifier c where c.removed_at is null order by c.classifier_id for no key update skip locked),
    old as (
      select i.* from locked l cross join lateral (
        select classifier_id, subject_type, subject_id from classifier_item i
        where i.classifier_id = l.classifier_id and i.requested_at <= greatest(${before}::timestamptz, (
          select requested_at from classifier_item where classifier_id = l.classifier_id
          order by requested_at desc offset ${WAITING_LIMIT} limit 1))
        order by i.requested_at limit ${DROPPED_A_BATCH} for update skip locked) i),
    dropped as (
      delete from classifier_item i using old
      where i.classifier_id = old.classifier_id and i.subject_type = old.subject_type and i.subject_id = old.subject_id
      returning i.classifier_id),
    counted as (
      update classifier c set dropped = c.dropped + d.count
      from (select classifier_id, count(*) from dropped group by classifier_id) d
      where c.classifier_id = d.classifier_id
      returning d.count)
    select coalesce(max(count), 0)::int as most from counted`,
  )
  return dropped?.most === DROPPED_A_BATCH
}
