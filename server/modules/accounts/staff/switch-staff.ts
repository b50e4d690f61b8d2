import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { endAccess } from '#server/modules/accounts/access/end-access.ts'
import { ensureGlobalAdminRemains } from '#server/modules/accounts/roles/ensure-global-admin-remains.ts'
import { revokeTokensBeyondIssuer } from '#server/modules/accounts/roles/issuer.ts'
import { GLOBAL_ADMIN } from '#server/modules/accounts/roles/outranks.ts'
import { lockColleague } from '#server/modules/accounts/staff/lock-colleague.ts'
import type { SwitchInput } from '#server/modules/accounts/staff/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/**
 * Switches the account of a colleague of lower rank off or on. Switching off immediately ends their sessions, client connections, links and
 * tokens, including the admin tokens that they issued for themselves or others; switching on restores none of them. CHANGED where it is in
 * that state already; the last global admin stays on.
 */
export function switchStaff(ctx: Ctx, { staffId, isOn }: SwitchInput): Promise<{ isOn: boolean }> {
  return inTransaction(ctx, async (ctx) => {
    const { userId, roles } = await lockColleague(ctx, staffId)
    if (!isOn && roles.includes(GLOBAL_ADMIN)) await ensureGlobalAdminRemains(ctx, userId)
    const switched = await execute(
      ctx,
      sql`
      update staff_account set is_disabled = ${!isOn}, updated_at = ${ctx.now()}
      where id = ${staffId} and is_disabled = ${isOn}`,
    )
    if (switched === 0) throw new DomainError('CHANGED')
    if (!isOn) await endAll(ctx, { staffId, userId })
    await recordAudit(ctx, {
      action: isOn ? 'staff.switchedOn' : 'staff.switchedOff',
      subjectType: 'staff',
      subjectId: staffId,
      before: { isOn: !isOn },
      after: { isOn, userId },
    })
    return { isOn }
  })
}

async function endAll(ctx: Ctx, { staffId, userId }: { staffId: string; userId: string }): Promise<void> {
  await endAccess(ctx, [userId])
  await revokeTokensBeyondIssuer(ctx, [userId])
  await execute(ctx, sql`delete from staff_link where staff_account_id = ${staffId}`)
}
