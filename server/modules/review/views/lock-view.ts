import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { SavedView } from '#server/modules/review/views/schema.ts'
import { toSavedView, type ViewRow, viewColumns } from '#server/modules/review/views/view.ts'
import { isViewVisible } from '#server/modules/review/views/visible.ts'

/** Reads and locks within the caller's scope: NOT_FOUND for a view the caller may not see. */
export async function lockView(ctx: Ctx, viewId: string): Promise<SavedView> {
  const row = await queryOne<ViewRow>(
    ctx,
    sql`select ${viewColumns(ctx)} from saved_view v where v.view_id = ${viewId} and ${isViewVisible(ctx)} for update of v`,
  )
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return toSavedView(ctx, row)
}
