import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { digestOf, newSecret } from '#server/core/ids.ts'
import { lockColleague } from '#server/modules/accounts/staff/lock-colleague.ts'
import type { MadeLink, StaffInput } from '#server/modules/accounts/staff/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** An invitation may be accepted days later; a new password is needed soon. */
const LIFETIME_MS = { invitation: 7 * 24 * 3_600_000, password: 24 * 3_600_000 }

/**
 * A link with which somebody accepts an invite or, having an account, chooses a new password. Anyone who sees it may sign in as them, so it
 * is created only for people of lower rank; it replaces the previous link. CHANGED for an account that is switched off.
 */
export function makeLink(ctx: Ctx, { staffId }: StaffInput): Promise<MadeLink> {
  return inTransaction(ctx, async (ctx) => {
    const { hasLogin, isDisabled } = await lockColleague(ctx, staffId)
    if (isDisabled) throw new DomainError('CHANGED')
    return writeLink(ctx, { staffId, purpose: hasLogin ? 'password' : 'invitation' })
  })
}

/** For an account that the caller's transaction has locked or created. */
export async function writeLink(
  ctx: Ctx,
  { staffId, purpose }: { staffId: string; purpose: keyof typeof LIFETIME_MS },
): Promise<MadeLink> {
  const token = newSecret('dki')
  const expiresAt = new Date(ctx.now().getTime() + LIFETIME_MS[purpose])
  await execute(
    ctx,
    sql`
    insert into staff_link (digest, staff_account_id, created_by, created_at, expires_at)
    values (${digestOf(token)}, ${staffId}, ${actingUserId(ctx) ?? null}, ${ctx.now()}, ${expiresAt})
    on conflict (staff_account_id) do update
      set digest = excluded.digest, created_by = excluded.created_by, created_at = excluded.created_at, expires_at = excluded.expires_at`,
  )
  await recordAudit(ctx, {
    action: 'staff.linkMade',
    subjectType: 'staff',
    subjectId: staffId,
    after: { purpose, expiresAt: expiresAt.toISOString() },
  })
  return { staffId, token, expiresAt: expiresAt.toISOString() }
}
