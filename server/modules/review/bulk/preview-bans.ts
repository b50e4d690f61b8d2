import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { selectAuthors } from '#server/modules/review/bulk/bans.ts'
import { countAccounts } from '#server/modules/review/bulk/count-accounts.ts'
import type { BanForecast, BulkBanFailure, PreviewBans } from '#server/modules/review/bulk/schema.ts'
import { selectBanFailures } from '#server/modules/spaces/sanctions/ban-failures.ts'
import { BAN_SCOPES, type BanScope } from '#server/modules/spaces/sanctions/schema.ts'

/**
 * What banning the authors of these items would do, in each kind of space where the caller can ban at least one of them. Changes nothing. Items
 * that the caller doesn't review add nothing.
 */
export async function previewBans(ctx: Ctx, input: PreviewBans): Promise<BanForecast[]> {
  const forecasts = await Promise.all(BAN_SCOPES.map((scope) => forecast(ctx, scope, input)))
  return forecasts.filter(({ bannable }) => bannable > 0)
}

async function forecast(ctx: Ctx, scope: BanScope, input: PreviewBans): Promise<BanForecast> {
  const rows = await query<{ userId: string; failure: BulkBanFailure | null }>(
    ctx,
    sql`
    with author as materialized (${selectAuthors(ctx, scope, input)})
    select found.user_id, case when author.is_spared then 'EXCEPTED' else found.failure end as failure
    from (${selectBanFailures(ctx, scope, sql`select * from author`)}) found join author using (user_id, space_id)`,
  )
  const { total, free, refused } = countAccounts(rows)
  return { scope, accounts: total, bannable: free, refused }
}
