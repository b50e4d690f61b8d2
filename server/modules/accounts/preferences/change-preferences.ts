import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { ownerOf } from '#server/modules/accounts/preferences/read-preferences.ts'
import type { ChosenPreferences, PreferencesChange } from '#server/modules/accounts/preferences/schema.ts'

/**
 * Writes the named fields and leaves the rest: of two browsers that change different fields at once, both changes are kept. In one
 * statement, and not in the log (decision 79). UNAUTHORIZED for anyone without a staff account.
 */
export async function changePreferences(ctx: Ctx, change: PreferencesChange): Promise<ChosenPreferences> {
  const changed = JSON.stringify(change)
  const kept = await queryOne<{ preferences: ChosenPreferences }>(
    ctx,
    sql`
    insert into staff_preference as kept (user_id, preferences, updated_at)
    values (${ownerOf(ctx)}, jsonb_strip_nulls(${changed}::jsonb), ${ctx.now()})
    on conflict (user_id) do update
      set preferences = jsonb_strip_nulls(kept.preferences || ${changed}::jsonb), updated_at = excluded.updated_at
    returning preferences`,
  )
  return kept?.preferences ?? {}
}
