import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { periodDays } from '#server/core/periods.ts'
import { dayIn } from '#server/core/time.ts'
import type { SavedView, ViewFilters } from '#server/modules/review/views/schema.ts'
import { isOwnView, mayTidyViews } from '#server/modules/review/views/visible.ts'

/** What `toSavedView` reads, selected from `saved_view v`. */
export function viewColumns(ctx: Ctx): Sql {
  return sql`v.view_id, v.name, v.filters, v.is_shared, v.is_default,
    ${isOwnView(ctx)} as is_own`
}

export type ViewRow = Omit<SavedView, 'mayChange' | 'mayMakeDefault' | 'queue'> & {
  /** Null for what isn't a named queue. */
  isMember?: boolean | null
}

export function toSavedView(ctx: Ctx, { isMember, ...stored }: ViewRow): SavedView {
  const row = { ...stored, filters: withDaysOfPeriod(ctx, stored.filters) }
  if (isMember !== undefined && isMember !== null)
    return { ...row, mayChange: false, mayMakeDefault: false, queue: { isMember } }
  return {
    ...row,
    mayChange: row.isOwn || (row.isShared && mayTidyViews(ctx)),
    mayMakeDefault: row.isShared ? mayTidyViews(ctx) : row.isOwn,
  }
}

export function withDaysOfPeriod({ now }: Ctx, filters: ViewFilters): ViewFilters {
  const { period, timeZone = 'UTC' } = filters
  return period === undefined ? filters : { ...filters, ...periodDays(period, dayIn(timeZone, now())), timeZone }
}
