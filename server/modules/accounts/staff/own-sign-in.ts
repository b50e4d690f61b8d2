import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { present } from '#server/core/present.ts'
import { checkPassword, writePassword } from '#server/modules/accounts/access/passwords.ts'
import { endStaffSessions } from '#server/modules/accounts/staff/end-staff-sessions.ts'
import { readSessions } from '#server/modules/accounts/staff/list-sessions.ts'
import { ownAccount } from '#server/modules/accounts/staff/own-account.ts'
import type { ChangePassword, EndOwnSessions, OwnSignIn, PasskeyInput } from '#server/modules/accounts/staff/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** The caller's sign-in methods and sessions. Uses staff_passkey_staff_account_id_idx. */
export async function readOwnSignIn(ctx: Ctx): Promise<OwnSignIn> {
  const { staffId, sessionId } = ownAccount(ctx)
  const [account, passkeys, sessions] = await Promise.all([
    queryOne<{ email: string; hasPassword: boolean; hasSecondFactor: boolean }>(
      ctx,
      sql`
      select a.email, a.two_factor_enabled as has_second_factor,
        exists (select from staff_login l where l.staff_account_id = a.id and l.provider_id = 'credential') as has_password
      from staff_account a where a.id = ${staffId}`,
    ),
    query<{ id: string; name: string | null; createdAt: Date }>(
      ctx,
      sql`select id, name, created_at from staff_passkey where staff_account_id = ${staffId} order by created_at, id`,
    ),
    readSessions(ctx, { staffId, sessionId }),
  ])
  if (account === undefined) throw new Error(`the account ${staffId} is gone`)
  return {
    ...account,
    passkeys: passkeys.map(({ id, name, createdAt }) => ({
      passkeyId: id,
      addedAt: createdAt.toISOString(),
      ...present({ name: name || undefined }),
    })),
    sessions,
  }
}

/** Fails as `checkPassword` does. Ends all other sessions of the account. */
export function changePassword(
  ctx: Ctx,
  { currentPassword, newPassword }: ChangePassword,
): Promise<{ endedSessions: number }> {
  const own = ownAccount(ctx)
  const { staffId } = own
  return inTransaction(ctx, async (ctx) => {
    await checkPassword(ctx, { staffId, password: currentPassword })
    await writePassword(ctx, { staffId, password: newPassword })
    await recordAudit(ctx, { action: 'staff.passwordChanged', subjectType: 'staff', subjectId: staffId })
    return { endedSessions: await endOthers(ctx, own) }
  })
}

/** Ends one of the caller's sessions, or all but the one of the request. NOT_FOUND for one that belongs to somebody else or has ended. */
export function endOwnSessions(ctx: Ctx, { sessionId }: EndOwnSessions): Promise<{ ended: number }> {
  const own = ownAccount(ctx)
  return inTransaction(ctx, async (ctx) => {
    if (sessionId === undefined) return { ended: await endOthers(ctx, own) }
    const ended = await endStaffSessions(ctx, { staffId: own.staffId, which: sql`id = ${sessionId}` })
    if (ended === 0) throw new DomainError('NOT_FOUND')
    return { ended }
  })
}

function endOthers(ctx: Ctx, { staffId, sessionId }: { staffId: string; sessionId: string }): Promise<number> {
  return endStaffSessions(ctx, { staffId, which: sql`id <> ${sessionId}` })
}

/** NOT_FOUND for a passkey that belongs to somebody else. */
export function removePasskey(ctx: Ctx, { passkeyId }: PasskeyInput): Promise<{ passkeyId: string }> {
  const { staffId } = ownAccount(ctx)
  return inTransaction(ctx, async (ctx) => {
    const removed = await execute(
      ctx,
      sql`delete from staff_passkey where id = ${passkeyId} and staff_account_id = ${staffId}`,
    )
    if (removed === 0) throw new DomainError('NOT_FOUND')
    await recordAudit(ctx, {
      action: 'staff.passkeyRemoved',
      subjectType: 'staff',
      subjectId: staffId,
      before: { passkeyId },
    })
    return { passkeyId }
  })
}
