import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertMayGrant } from '#server/modules/accounts/roles/assert-may-grant.ts'
import { ensureGlobalAdminRemains } from '#server/modules/accounts/roles/ensure-global-admin-remains.ts'
import { revokeTokensBeyondIssuer } from '#server/modules/accounts/roles/issuer.ts'
import { GLOBAL_ADMIN } from '#server/modules/accounts/roles/outranks.ts'
import { type LockedColleague, lockColleague } from '#server/modules/accounts/staff/lock-colleague.ts'
import type { StaffRoleInput } from '#server/modules/accounts/staff/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** Gives a colleague of lower rank a network role no higher than the caller's own. CHANGED where they hold it. */
export function giveRole(ctx: Ctx, { staffId, roleId }: StaffRoleInput): Promise<{ roles: string[] }> {
  return inTransaction(ctx, async (ctx) => {
    const colleague = await lockColleague(ctx, staffId)
    if (ctx.actor.kind !== 'admin') throw new DomainError('FORBIDDEN')
    await assertMayGrant(ctx, [roleId], 'network', ctx.actor)
    if (colleague.roles.includes(roleId)) throw new DomainError('CHANGED')
    return writeRoles(ctx, colleague, [...colleague.roles, roleId])
  })
}

/** Takes a network role from a colleague of lower rank; the last global admin keeps theirs. CHANGED where they do not hold it. */
export function takeRole(ctx: Ctx, { staffId, roleId }: StaffRoleInput): Promise<{ roles: string[] }> {
  return inTransaction(ctx, async (ctx) => {
    const colleague = await lockColleague(ctx, staffId)
    if (!colleague.roles.includes(roleId)) throw new DomainError('CHANGED')
    if (roleId === GLOBAL_ADMIN) await ensureGlobalAdminRemains(ctx, colleague.userId)
    return writeRoles(
      ctx,
      colleague,
      colleague.roles.filter((held) => held !== roleId),
    )
  })
}

async function writeRoles(
  ctx: Ctx,
  { staffId, userId, roles: before }: LockedColleague,
  roles: string[],
): Promise<{ roles: string[] }> {
  await execute(
    ctx,
    sql`
    update network_user set roles = ${roles}::text[], updated_at = ${ctx.now()} where user_id = ${userId}`,
  )
  await revokeTokensBeyondIssuer(ctx, [userId])
  await recordAudit(ctx, {
    action: 'staff.rolesChanged',
    subjectType: 'staff',
    subjectId: staffId,
    before: { userId, roles: before },
    after: { roles },
  })
  return { roles }
}
