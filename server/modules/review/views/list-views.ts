import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { SavedView } from '#server/modules/review/views/schema.ts'
import { toSavedView, type ViewRow, viewColumns } from '#server/modules/review/views/view.ts'
import { isViewVisible } from '#server/modules/review/views/visible.ts'

/**
 * The caller's views of the queue: their own by name, then the shared ones. Uses saved_view_owner_id_idx and saved_view_shared.
 */
export async function listViews(ctx: Ctx): Promise<SavedView[]> {
  const rows = await query<ViewRow>(
    ctx,
    sql`
    select ${viewColumns(ctx)} from saved_view v
    where v.page = 'queue' and ${isViewVisible(ctx)}
    order by v.is_shared, lower(v.name), v.view_id`,
  )
  return rows.map((row) => toSavedView(ctx, row))
}
