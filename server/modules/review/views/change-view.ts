import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockView } from '#server/modules/review/views/lock-view.ts'
import { recordSharedView } from '#server/modules/review/views/record-shared-view.ts'
import type { ChangeViewInput, SavedView } from '#server/modules/review/views/schema.ts'
import { withDaysOfPeriod } from '#server/modules/review/views/view.ts'

/**
 * Renames a view, or replaces its filters. Fails with NOT_FOUND for a view the caller may not see, FORBIDDEN for a shared one
 * they may not change.
 */
export function changeView(ctx: Ctx, { viewId, ...change }: ChangeViewInput): Promise<SavedView> {
  return inTransaction(ctx, async (ctx) => {
    const before = await lockView(ctx, viewId)
    if (!before.mayChange) throw new DomainError('FORBIDDEN')

    const view = {
      ...before,
      name: change.name?.trim() ?? before.name,
      filters: withDaysOfPeriod(ctx, change.filters ?? before.filters),
    }
    await execute(
      ctx,
      sql`
      update saved_view set name = ${view.name}, filters = ${JSON.stringify(view.filters)}::jsonb, updated_at = ${ctx.now()}
      where view_id = ${viewId}`,
    )
    await recordSharedView(ctx, 'view.changed', view)
    return view
  })
}
