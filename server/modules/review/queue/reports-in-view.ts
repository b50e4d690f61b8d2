import { actingUserId, actorHolds, type Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { isMine, isWhole, type Narrowing } from '#server/modules/review/queue/desk-filter.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import { positionOf } from '#server/modules/review/queue/position.ts'
import type { TextsWanted } from '#server/modules/review/queue/queue-item.ts'
import {
  mayReviewReport,
  type ReportedRow,
  selectReported,
  toReportedItem,
} from '#server/modules/review/queue/reported.ts'
import type { DeskFilter, DeskQueueInput, QueueItem, QueueView } from '#server/modules/review/queue/schema.ts'

/** The views that list reports beside held items: what is escalated, and the caller's claims. There are few of both. */
type MixedView = 'escalated' | 'mine'

export const isMixedView = (view: QueueView): view is MixedView => view === 'escalated' || view === 'mine'

/** What is held and reported, and in the view as both, is listed as held. Worded as the indexes review_item_escalated and review_item_claimed are. */
function isListed(
  ctx: Ctx,
  { view, communityId, kind }: Pick<DeskFilter, 'communityId' | 'kind'> & { view: MixedView },
): Sql {
  const isInView =
    view === 'mine'
      ? sql`r.claimed_by = ${actingUserId(ctx) ?? null} and r.claimed_until > ${ctx.now()} and not ${isHeldToo(isMine(ctx))}`
      : sql`
        r.escalated_at is not null and not ${isHeldToo(sql`i.escalated_at is not null`)}`
  return sql`
    r.state = 'waiting' and r.kind = 'reported' and ${isInView} and ${actorHolds(ctx)} and ${mayReviewReport(ctx)}
    ${communityId === undefined ? sql.empty : sql`and r.community_id = ${communityId}`}
    ${kind === undefined ? sql.empty : sql`and r.subject_type = ${kind}`}`
}

/** Whether what the report `r` is about is pending as a held item `i` too, with a condition on that. */
const isHeldToo = (condition: Sql): Sql => sql`exists (
  select from review_item i
  where i.subject_type = r.subject_type and i.subject_id = r.subject_id and ${IS_HELD} and ${condition})`

/** Reports are filtered by community and type only: any other filter leaves them out. */
function includesReports({ communityId: _, kind: __, ...filter }: DeskFilter): boolean {
  return isWhole({ ...filter, view: 'waiting' } satisfies Narrowing)
}

/**
 * Reports of the view after the cursor, in its order; one more than the limit. Uses review_item_escalated or
 * review_item_claimed.
 */
export async function listReportsInView(
  ctx: Ctx,
  { order, limit, cursor, ...filter }: DeskQueueInput & { view: MixedView },
  wanted: TextsWanted = {},
): Promise<QueueItem[]> {
  if (!includesReports(filter)) return []
  const inOrder =
    order === 'newest'
      ? sql`r.placed_at desc, r.subject_id, r.subject_type`
      : sql`r.placed_at, r.subject_id desc, r.subject_type desc`
  const rows = await query<ReportedRow>(
    ctx,
    sql`
    with page as materialized (
      select r.* from review_item r where ${isListed(ctx, filter)} ${after({ order, cursor })} order by ${inOrder} ${atMost(limit + 1)})
    ${selectReported(ctx, { from: sql`page r` })} order by ${inOrder}`,
  )
  return rows.map((row) => toReportedItem(ctx, row, wanted))
}

/** How many of them there are. */
export async function countReportsInView(ctx: Ctx, filter: DeskFilter & { view: MixedView }): Promise<number> {
  const counted = await queryOne<{ count: number }>(ctx, reportsInViewTotal(ctx, filter))
  return counted?.count ?? 0
}

/** The statement of `countReportsInView`: one row, `count`. */
export function reportsInViewTotal(ctx: Ctx, filter: DeskFilter & { view: MixedView }): Sql {
  return includesReports(filter)
    ? sql`select count(*)::int as count from review_item r where ${isListed(ctx, filter)}`
    : sql`select 0 as count`
}

/** Whether the view shows the report of an item, also once it is decided: it was escalated or claimed as a report, and not as a held item. */
export async function isReportInView(ctx: Ctx, view: MixedView, { subjectType, subjectId }: Subject): Promise<boolean> {
  const isInView =
    view === 'mine'
      ? sql`r.claimed_by = ${actingUserId(ctx) ?? null} and not ${isHeldToo(isMine(ctx))}`
      : sql`r.escalated_at is not null and not ${isHeldToo(sql`i.escalated_at is not null`)}`
  const found = await queryOne(
    ctx,
    sql`
    select true as found from review_item r
    where r.subject_type = ${subjectType} and r.subject_id = ${subjectId} and r.kind = 'reported' and ${isInView}`,
  )
  return found !== undefined
}

function after({ order, cursor }: Pick<DeskQueueInput, 'order' | 'cursor'>): Sql {
  const position = positionOf({ cursor })
  if (position === undefined) return sql.empty
  const at = new Date(position.heldAt)
  const subject = sql`(${position.subjectId}, ${position.subjectType})`
  return order === 'newest'
    ? sql`and (r.placed_at < ${at} or r.placed_at = ${at} and (r.subject_id, r.subject_type) > ${subject})`
    : sql`and (r.placed_at > ${at} or r.placed_at = ${at} and (r.subject_id, r.subject_type) < ${subject})`
}
