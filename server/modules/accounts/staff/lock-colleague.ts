import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'

export interface LockedColleague {
  staffId: string
  userId: string
  email: string
  name: string
  isDisabled: boolean
  /** Of the network. */
  roles: string[]
  /** Whether the invite was accepted: with a password, or through the organisation's sign-in. */
  hasLogin: boolean
}

/** FORBIDDEN without MANAGE_STAFF. */
export function assertStaffManager(ctx: Ctx): void {
  if (!holds(ctx, 'MANAGE_STAFF')) throw new DomainError('FORBIDDEN')
}

/**
 * Locks a colleague's account that the caller may manage. FORBIDDEN without MANAGE_STAFF, for oneself and for anyone not of lower rank;
 * NOT_FOUND for an unknown account.
 */
export async function lockColleague(ctx: Ctx, staffId: string): Promise<LockedColleague> {
  assertStaffManager(ctx)
  // Rank is read once the lock is held, so that it includes changes by the lock's last holder.
  await query(
    ctx,
    sql`
    select 1 as locked from staff_account a join network_user u on u.user_id = a.network_user_id
    where a.id = ${staffId} for no key update of a, u`,
  )
  const found = await queryOne<LockedColleague & { isOutranked: boolean }>(
    ctx,
    sql`
    select a.id as staff_id, a.network_user_id as user_id, a.email, a.name, a.is_disabled, u.roles,
      exists (select from staff_login l where l.staff_account_id = a.id) as has_login,
      ${outranks(ctx, sql`u.user_id`, 'network')} as is_outranked
    from staff_account a join network_user u on u.user_id = a.network_user_id
    where a.id = ${staffId}`,
  )
  if (found === undefined) throw new DomainError('NOT_FOUND')
  const { isOutranked, ...colleague } = found
  if (!isOutranked || colleague.userId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
  return colleague
}
