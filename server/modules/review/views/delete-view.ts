import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockView } from '#server/modules/review/views/lock-view.ts'
import { recordSharedView } from '#server/modules/review/views/record-shared-view.ts'
import type { DeleteViewInput } from '#server/modules/review/views/schema.ts'

/** Fails with NOT_FOUND for a view the caller may not see, FORBIDDEN for a shared one they may not change. */
export function deleteView(ctx: Ctx, { viewId }: DeleteViewInput): Promise<{ viewId: string }> {
  return inTransaction(ctx, async (ctx) => {
    const view = await lockView(ctx, viewId)
    if (!view.mayChange) throw new DomainError('FORBIDDEN')

    await execute(ctx, sql`delete from saved_view where view_id = ${viewId}`)
    await recordSharedView(ctx, 'view.deleted', view)
    return { viewId }
  })
}
