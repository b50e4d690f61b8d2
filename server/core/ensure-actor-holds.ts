import { actorHolds, type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'

/**
 * A list whose statement includes `actorHolds` found nothing: that is believed if the remembered actor still holds. Cheaper than
 * `ensureLookedUp` where lists are often empty.
 */
export async function ensureActorHolds(ctx: Ctx): Promise<void> {
  if (ctx.ifActorHolds === undefined) return
  const found = await queryOne<{ holds: boolean }>(ctx, sql`select ${actorHolds(ctx)} as holds`)
  if (found?.holds !== true) ensureLookedUp(ctx)
}
