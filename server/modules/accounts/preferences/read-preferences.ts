import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { ChosenPreferences } from '#server/modules/accounts/preferences/schema.ts'

/** The caller's own preferences, the same in every browser. UNAUTHORIZED for anyone without a staff account. */
export async function readPreferences(ctx: Ctx): Promise<ChosenPreferences> {
  const kept = await queryOne<{ preferences: ChosenPreferences }>(
    ctx,
    sql`select preferences from staff_preference where user_id = ${ownerOf(ctx)}`,
  )
  return kept?.preferences ?? {}
}

/** Whose preferences the caller's are. Only people with a staff account have some: tokens and apps have none. */
export function ownerOf({ actor }: Ctx): string {
  if (!('staffId' in actor) || actor.staffId === undefined || actor.userId === undefined)
    throw new DomainError('UNAUTHORIZED')
  return actor.userId
}
