import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { IS_HELD, IS_QUEUE_OPEN } from '#server/modules/content/items/held.ts'
import { NO_TEXT_KEY } from '#server/modules/content/items/text-key.ts'
import { BULK_LIMIT } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { atMost, itemsOf, mayReviewHeld } from '#server/modules/review/queue/held.ts'

/** One more than a bulk action takes. */
const MOST_ALIKE = atMost(BULK_LIMIT + 1)

/** The items with the same text as one of these, as many as one bulk action takes; `isCut` if there are more. */
export async function findAlike(ctx: Ctx, subjects: Subject[]): Promise<{ members: Subject[]; isCut: boolean }> {
  const columns = sql`i.subject_type, i.subject_id, i.placed_at`
  const alike = await query<Subject>(
    ctx,
    sql`${selectAlike(ctx, subjects, columns)} order by i.placed_at desc, i.subject_id ${MOST_ALIKE}`,
  )
  return { members: alike.slice(0, BULK_LIMIT), isCut: alike.length > BULK_LIMIT }
}

/**
 * Columns of `review_item i`: what is held with the same text as these items, newest first. Items that the caller doesn't review add nothing. A key
 * names a type and a community: who reviews one item with it reviews all of them. Uses review_item_alike.
 */
export function selectAlike(ctx: Ctx, subjects: Subject[], columns: Sql): Sql {
  return sql`
    select i.* from (select distinct i.text_key from ${itemsOf(subjects)} where ${mayReviewHeld(ctx)} and ${IS_QUEUE_OPEN}) one
    cross join lateral (
      select ${columns} from review_item i
      where ${IS_HELD} and i.text_key = one.text_key and i.text_key <> ${NO_TEXT_KEY}::uuid
      order by i.placed_at desc, i.subject_id ${MOST_ALIKE}) i`
}
