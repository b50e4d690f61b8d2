import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import type { ItemKind, Subject } from '#server/modules/review/decisions/schema.ts'
import { itemsOfAnyKind } from '#server/modules/review/queue/desk-filter.ts'
import { isListed } from '#server/modules/review/queue/kinds.ts'
import type { DeskFilter, QueueView } from '#server/modules/review/queue/schema.ts'

/** The views that list items of all kinds: what is escalated, and the caller's claims. There are few of both. */
export type ViewAcrossKinds = 'escalated' | 'mine'

export const isAcrossKinds = (view: QueueView): view is ViewAcrossKinds => view === 'escalated' || view === 'mine'

export type FilterAcrossKinds = DeskFilter & { view: ViewAcrossKinds }

/**
 * The filter's conditions on a `review_item i`, and those of its view, worded as the indexes review_item_escalated and review_item_claimed are. What is in
 * the view as a held item too is listed once, as that.
 */
export function itemsInView(ctx: Ctx, filter: FilterAcrossKinds): Sql {
  const isInView = (row: Sql) => sql`${row}.state = 'waiting' and ${IN_VIEW[filter.view](ctx, row)}`
  return sql`
    ${isInView(sql`i`)} and ${isListed(ctx)} ${itemsOfAnyKind(ctx, filter)} and not ${isHeldToo(isInView(sql`h`))}`
}

const IN_VIEW: Record<ViewAcrossKinds, (ctx: Ctx, row: Sql) => Sql> = {
  mine: (ctx, row) => sql`${row}.claimed_by = ${actingUserId(ctx) ?? null} and ${row}.claimed_until > ${ctx.now()}`,
  escalated: (_ctx, row) => sql`${row}.escalated_at is not null`,
}

const isHeldToo = (isInView: Sql) => sql`(i.kind <> 'held' and exists (
  select from review_item h
  where h.subject_type = i.subject_type and h.subject_id = i.subject_id and h.kind = 'held' and ${isInView}))`

/** How many there are, up to a limit: a statement of one row, `count`. */
export function countInView(ctx: Ctx, filter: FilterAcrossKinds, limit: Sql): Sql {
  return sql`select count(*)::int as count from (select from review_item i where ${itemsInView(ctx, filter)} ${limit}) found`
}

/** As which kind a view shows an item, also once it is decided: it was escalated or claimed as that. */
export async function kindInView(
  ctx: Ctx,
  view: ViewAcrossKinds,
  { subjectType, subjectId }: Subject,
): Promise<ItemKind | undefined> {
  const isInView = view === 'mine' ? sql`i.claimed_by = ${actingUserId(ctx) ?? null}` : sql`i.escalated_at is not null`
  const found = await queryOne<{ kind: ItemKind }>(
    ctx,
    sql`
    select i.kind from review_item i where i.subject_type = ${subjectType} and i.subject_id = ${subjectId} and ${isInView}
    order by i.kind = 'held' and i.state = 'waiting' desc, i.kind <> 'held' desc limit 1`,
  )
  return found?.kind
}
