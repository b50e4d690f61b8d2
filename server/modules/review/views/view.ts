import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { SavedView } from '#server/modules/review/views/schema.ts'
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

export function toSavedView(ctx: Ctx, { isMember, ...row }: ViewRow): SavedView {
  if (isMember !== undefined && isMember !== null)
    return { ...row, mayChange: false, mayMakeDefault: false, queue: { isMember } }
  return {
    ...row,
    mayChange: row.isOwn || (row.isShared && mayTidyViews(ctx)),
    mayMakeDefault: row.isShared ? mayTidyViews(ctx) : row.isOwn,
  }
}
