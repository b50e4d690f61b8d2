import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import { rankOf } from '#server/core/permissions.ts'
import { isBelow } from '#server/modules/accounts/roles/outranks.ts'

/** Whether the issuer, `network_user i`, may still sign in. */
export const ISSUER_IS_ACTIVE = sql`
  (i.user_id is not null and not i.is_global_ban and not i.is_deleted
    and not exists (select from staff_account off where off.network_user_id = i.user_id and off.is_disabled))`

/**
 * The network-wide rank that the issuer of a credential has now; 0 once they may not sign in, and unlimited where the command line issued
 * it.
 */
export function issuerRank(createdByColumn: Sql): Sql {
  return sql`(case when ${createdByColumn} is null then 2147483647 else coalesce((
    select network_role_rank(i.roles) from network_user i where i.user_id = ${createdByColumn} and ${ISSUER_IS_ACTIVE}), 0) end)`
}

/** Whether the issuer of a credential may act now on the user that the column names, in any space where that user holds a role. */
export function issuerOutranks(createdByColumn: Sql, userColumn: Sql): Sql {
  return isBelow(issuerRank(createdByColumn), rankOf(userColumn, 'network'))
}

/**
 * Ends the admin tokens that these users issued and may no longer issue, after a change of their roles or account in the caller's transaction.
 * Every use of a token is limited as well; this makes the end visible. Uses access_token_created_by.
 */
export async function revokeTokensBeyondIssuer(ctx: Ctx, issuerIds: string[]): Promise<void> {
  await execute(
    ctx,
    sql`
    update access_token t set revoked_at = ${ctx.now()}
    where t.kind = 'admin' and t.created_by = any(${issuerIds}) and t.revoked_at is null and not exists (
      select from network_user i where i.user_id = t.created_by and ${ISSUER_IS_ACTIVE}
        and network_role_rank(array[t.role_id]) <= network_role_rank(i.roles)
        and network_role_permissions(array[t.role_id]) <@ network_role_permissions(i.roles))`,
  )
}
