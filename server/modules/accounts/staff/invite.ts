import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { RoleScope } from '#server/core/prisma/enums.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { assertMayGrant } from '#server/modules/accounts/roles/assert-may-grant.ts'
import { revokeTokensBeyondIssuer } from '#server/modules/accounts/roles/issuer.ts'
import { assertStaffManager, lockColleague } from '#server/modules/accounts/staff/lock-colleague.ts'
import { writeLink } from '#server/modules/accounts/staff/make-link.ts'
import type { InviteInput, MadeLink, StaffInput } from '#server/modules/accounts/staff/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/**
 * Creates an account that its person accepts with a one-time link. Needs MANAGE_STAFF; FORBIDDEN for a role beyond the caller's own, and
 * for a profile that is not of lower rank; INVALID_PARAMETERS as for `createStaff`.
 */
export function inviteStaff(ctx: Ctx, invited: InviteInput): Promise<MadeLink> {
  assertStaffManager(ctx)
  return inTransaction(ctx, async (ctx) => {
    await assertRoleRank(ctx, invited.roleId)
    const { staffId } = await createStaff(ctx, invited)
    return writeLink(ctx, { staffId, purpose: 'invitation' })
  })
}

/** Withdraws an invite that was not accepted: account and link are deleted. CHANGED for an account in use. */
export function withdrawInvitation(ctx: Ctx, { staffId }: StaffInput): Promise<{ staffId: string }> {
  return inTransaction(ctx, async (ctx) => {
    const { userId, roles, hasLogin } = await lockColleague(ctx, staffId)
    if (hasLogin) throw new DomainError('CHANGED')
    await execute(ctx, sql`delete from staff_account where id = ${staffId}`)
    await execute(
      ctx,
      sql`
      update network_user set roles = '{}', updated_at = ${ctx.now()} where user_id = ${userId}`,
    )
    await revokeTokensBeyondIssuer(ctx, [userId])
    await recordAudit(ctx, {
      action: 'staff.invitationWithdrawn',
      subjectType: 'staff',
      subjectId: staffId,
      before: { userId, roles },
    })
    return { staffId }
  })
}

async function assertRoleRank(ctx: Ctx, roleId: string): Promise<void> {
  if (ctx.actor.kind !== 'admin') throw new DomainError('FORBIDDEN')
  const role = await queryOne<{ scope: RoleScope }>(
    ctx,
    sql`select r.scope::text as scope from role r where r.role_id = ${roleId} and not r.is_deleted`,
  )
  if (role === undefined) throw new DomainError('NOT_FOUND')
  await assertMayGrant(ctx, [roleId], role.scope, ctx.actor)
}
