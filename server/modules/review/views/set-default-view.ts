import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockView } from '#server/modules/review/views/lock-view.ts'
import { recordSharedView } from '#server/modules/review/views/record-shared-view.ts'
import type { SavedView, SetDefaultViewInput } from '#server/modules/review/views/schema.ts'

/**
 * Makes a view the default, replacing the one before, or ends that: a personal view for the caller, a shared one for all who
 * have no default of their own. Fails with NOT_FOUND for a view the caller may not see, FORBIDDEN for a shared one without
 * admin MANAGE_NETWORK_SETTINGS.
 */
export function setDefaultView(ctx: Ctx, { viewId, isDefault }: SetDefaultViewInput): Promise<SavedView> {
  return inTransaction(ctx, async (ctx) => {
    await lockDefaults(ctx)
    const view = await lockView(ctx, viewId)
    if (!view.mayMakeDefault) throw new DomainError('FORBIDDEN')
    if (view.isDefault === isDefault) return view

    if (isDefault) await clearDefault(ctx, view)
    await execute(
      ctx,
      sql`
      update saved_view set is_default = ${isDefault}, updated_at = ${ctx.now()} where view_id = ${viewId}`,
    )
    await recordSharedView(ctx, 'view.defaultChanged', { ...view, isDefault })
    return { ...view, isDefault }
  })
}

/** Concurrent changes of a default wait for each other: the last one wins. */
function lockDefaults(ctx: Ctx): Promise<unknown> {
  return queryOne(ctx, sql`select pg_advisory_xact_lock(hashtextextended('default views', 0)) is null as locked`)
}

/** Uses saved_view_default and saved_view_shared_default. */
function clearDefault(ctx: Ctx, { isShared }: SavedView): Promise<unknown> {
  const ownerId = actingUserId(ctx) ?? null
  return query(
    ctx,
    sql`
    update saved_view set is_default = false, updated_at = ${ctx.now()}
    where page = 'queue' and is_default and is_shared = ${isShared} and (is_shared or owner_id = ${ownerId})
    returning view_id`,
  )
}
