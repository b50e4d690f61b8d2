import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { reviewsSomewhere } from '#server/modules/review/queue/reviewed-spaces.ts'
import { recordSharedView } from '#server/modules/review/views/record-shared-view.ts'
import type { SavedView, SaveViewInput } from '#server/modules/review/views/schema.ts'
import { toSavedView, type ViewRow, viewColumns } from '#server/modules/review/views/view.ts'

/** The most personal views, and the most shared views: few enough to keep an overview. */
export const VIEWS_KEPT = { own: 50, shared: 200 }

/**
 * Saves filters under a name, for the caller or for all reviewers. Fails with FORBIDDEN for callers who review nothing,
 * INVALID_PARAMETERS at the limit.
 */
export function saveView(ctx: Ctx, { name, filters, isShared }: SaveViewInput): Promise<SavedView> {
  return inTransaction(ctx, async (ctx) => {
    const ownerId = await admit(ctx)
    await assertViewLimit(ctx, { ownerId, isShared })
    const row = await queryOne<ViewRow>(
      ctx,
      sql`
      with saved as (
        insert into saved_view (owner_id, name, page, filters, is_shared, created_at, updated_at)
        values (${ownerId}, ${name.trim()}, 'queue', ${JSON.stringify(filters)}::jsonb, ${isShared}, ${ctx.now()}, ${ctx.now()})
        returning *)
      select ${viewColumns(ctx)} from saved v`,
    )
    if (row === undefined) throw new Error('an insert returned no row')
    await recordSharedView(ctx, 'view.shared', row)
    return toSavedView(ctx, row)
  })
}

/** A view has an owner, so an admin token can't save one. */
async function admit(ctx: Ctx): Promise<string> {
  const ownerId = actingUserId(ctx)
  const found = await queryOne<{ reviews: boolean }>(ctx, sql`select ${reviewsSomewhere(ctx)} as reviews`)
  if (ownerId === undefined || !found?.reviews) throw new DomainError('FORBIDDEN')
  return ownerId
}

/** Concurrent saves wait for each other, so that the limit is not exceeded. */
async function assertViewLimit(ctx: Ctx, { ownerId, isShared }: { ownerId: string; isShared: boolean }): Promise<void> {
  const kept = isShared ? VIEWS_KEPT.shared : VIEWS_KEPT.own
  await execute(
    ctx,
    sql`select pg_advisory_xact_lock(hashtextextended(${isShared ? 'views' : `views of ${ownerId}`}, 0)) is null as locked`,
  )
  const counted = await queryOne<{ count: number }>(
    ctx,
    sql`
    select count(*)::int as count from saved_view
    where page = 'queue' and is_shared = ${isShared} and (is_shared or owner_id = ${ownerId})`,
  )
  if ((counted?.count ?? 0) >= kept)
    throw new DomainError('INVALID_PARAMETERS', { detail: [`views: you can save at most ${kept}`] })
}
