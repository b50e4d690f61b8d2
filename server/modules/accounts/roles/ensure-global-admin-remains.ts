import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, sql } from '#server/core/db.ts'
import { DomainError, type ErrorCode } from '#server/core/errors.ts'
import { GLOBAL_ADMIN } from '#server/modules/accounts/roles/outranks.ts'

/**
 * Fails where removing this global admin would leave none (docs/interface/permissions.md#acting-on-people). The role's row is locked for
 * the rest of the transaction: of two admins who remove each other at once, the second fails.
 */
export async function ensureGlobalAdminRemains(
  ctx: Ctx,
  userId: string,
  errorCode: ErrorCode = 'FORBIDDEN',
): Promise<void> {
  await execute(ctx, sql`select r.role_id from role r where r.role_id = ${GLOBAL_ADMIN} for no key update`)
  // Uses network_user_roles.
  const others = await query(
    ctx,
    sql`
    select u.user_id from network_user u
    where u.roles @> array[${GLOBAL_ADMIN}] and u.user_id <> ${userId} and not u.is_global_ban and not u.is_deleted
      and not exists (select from staff_account a where a.network_user_id = u.user_id and a.is_disabled) limit 1`,
  )
  if (others.length === 0) throw new DomainError(errorCode)
}
