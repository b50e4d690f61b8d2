import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { countAccounts } from '#server/modules/review/bulk/count-accounts.ts'
import { selectAuthors } from '#server/modules/review/bulk/sanctions.ts'
import type { BulkSanctionFailure, PreviewSanctions, SanctionForecast } from '#server/modules/review/bulk/schema.ts'
import { selectSanctionFailures } from '#server/modules/spaces/sanctions/sanction-failures.ts'
import { SANCTION_SCOPES, type SanctionPlace } from '#server/modules/spaces/sanctions/schema.ts'

/**
 * What banning and what muting the authors of these items would do, in each kind of space where the caller can do it to at least one of them.
 * Changes nothing. Items that the caller doesn't review add nothing.
 */
export async function previewSanctions(ctx: Ctx, input: PreviewSanctions): Promise<SanctionForecast[]> {
  const offered: SanctionPlace[] = [
    ...SANCTION_SCOPES.ban.map((scope) => ({ sanction: 'ban' as const, scope })),
    ...SANCTION_SCOPES.mute.map((scope) => ({ sanction: 'mute' as const, scope })),
  ]
  const forecasts = await Promise.all(offered.map((place) => forecast(ctx, place, input)))
  return forecasts.filter(({ possible }) => possible > 0)
}

async function forecast(ctx: Ctx, place: SanctionPlace, input: PreviewSanctions): Promise<SanctionForecast> {
  const rows = await query<{ userId: string; failure: BulkSanctionFailure | null }>(
    ctx,
    sql`
    with author as materialized (${selectAuthors(ctx, place.scope, input)})
    select found.user_id, case when author.is_spared then 'EXCEPTED' else found.failure end as failure
    from (${selectSanctionFailures(ctx, place, sql`select * from author`)}) found join author using (user_id, space_id)`,
  )
  const { total, free, refused } = countAccounts(rows)
  return { ...place, accounts: total, possible: free, refused }
}
