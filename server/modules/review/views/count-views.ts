import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import type { HeldType } from '#server/modules/content/items/held.ts'
import { countInView, isAcrossKinds } from '#server/modules/review/queue/across-kinds.ts'
import { countOfKind } from '#server/modules/review/queue/count-kind.ts'
import { matchingHeld, typesOf } from '#server/modules/review/queue/desk-filter.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import { kindOfView } from '#server/modules/review/queue/kinds.ts'
import { type ReviewedSpace, reviewedSpaces } from '#server/modules/review/queue/reviewed-spaces.ts'
import { listViews } from '#server/modules/review/views/list-views.ts'
import type { SavedView, ViewCount } from '#server/modules/review/views/schema.ts'

/** Counts are exact up to this limit, so that a view of millions costs no more than one of a thousand. */
const EXACT_UP_TO = 1_000
/** The first views of the list are counted. */
const VIEWS_COUNTED = 50

/** How many items each of the caller's views contains, of those that the caller reviews: three statements, however many views there are. */
export async function countViews(ctx: Ctx): Promise<ViewCount[]> {
  const [views, spaces] = await Promise.all([listViews(ctx), reviewedSpaces(ctx, undefined)])
  const counts = views.slice(0, VIEWS_COUNTED).map((view) => countOf(ctx, view, spaces))
  if (counts.length === 0) return []
  const rows = await query<{ viewId: string; count: number }>(
    ctx,
    sql`${sql.join(counts, ' union all ')} ${NO_PREPARE}`,
  )
  return rows.map(({ viewId, count }) => ({
    viewId,
    count: Math.min(count, EXACT_UP_TO),
    isLowerBound: count > EXACT_UP_TO,
  }))
}

/** Uses the same indexes as `countMatching`. */
function countOf(ctx: Ctx, { viewId, filters }: SavedView, spaces: ReviewedSpace[]): Sql {
  const { communityId, timeZone = 'UTC', period: _, ...rest } = filters
  const filter = { ...rest, timeZone }
  const { view } = filter
  const limit = atMost(EXACT_UP_TO + 1)
  if (isAcrossKinds(view)) return counted(viewId, countInView(ctx, { ...filter, communityId, view }, limit))
  if (view !== 'waiting') return counted(viewId, countOfKind(ctx, kindOfView(view), { ...filter, communityId }))

  const among = (type: HeldType) =>
    sql`any(${spaces
      .filter((space) => space[`${type}s`] && (communityId === undefined || space.communityId === communityId))
      .map((space) => space.communityId)}::text[])`
  const held = typesOf(filter).map((type) => matchingHeld(ctx, filter, type, { communityColumn: among(type), limit }))
  const either = held.length === 0 ? sql`(select where false)` : sql.join(held, ' union all ')
  return counted(viewId, sql`select count(*) as count from (select from (${either}) either ${limit}) matching`)
}

const counted = (viewId: string, count: Sql): Sql => sql`select ${viewId} as view_id, (${count})::float8 as count`
