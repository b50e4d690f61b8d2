import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { ChosenPreferences } from '#server/modules/accounts/preferences/schema.ts'

/** What the caller chose for themselves, on whichever browser. UNAUTHORIZED for anyone without a staff account. */
export async function readPreferences(ctx: Ctx): Promise<ChosenPreferences> {
  const kept = await queryOne<{ preferences: ChosenPreferences }>(
    ctx,
    Prisma.sql`select preferences from staff_preference where user_id = ${ownerOf(ctx)}`,
  )
  return kept?.preferences ?? {}
}

/** Preferences are of people who sit at the desk: no token and no app has any. */
export function ownerOf({ actor }: Ctx): string {
  if (!('staffId' in actor) || actor.staffId === undefined || actor.userId === undefined)
    throw new DomainError('UNAUTHORIZED')
  return actor.userId
}
