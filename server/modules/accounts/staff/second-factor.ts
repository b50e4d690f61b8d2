import { randomUUID } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'
import { createRandomStringGenerator } from '@better-auth/utils/random'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { consumeCode, stepOfCode } from '#server/modules/accounts/access/consume-code.ts'
import { checkPassword } from '#server/modules/accounts/access/passwords.ts'
import { type Cipher, DESK_NAME } from '#server/modules/accounts/access/staff-auth-options.ts'
import { lockColleague } from '#server/modules/accounts/staff/lock-colleague.ts'
import { ownAccount } from '#server/modules/accounts/staff/own-account.ts'
import type { CodeInput, PasswordInput, StaffInput } from '#server/modules/accounts/staff/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

const generateRandomString = createRandomStringGenerator('a-z', 'A-Z', '0-9', '-_')
const SECRET_LENGTH = 32
const BACKUP_CODES = 10

/**
 * The secret that an app derives its codes from, shown once; it takes effect once a code is confirmed. CHANGED where codes are required
 * already.
 */
export function beginSecondFactor(
  ctx: Ctx,
  { password, cipher }: PasswordInput & { cipher: Cipher },
): Promise<{ uri: string }> {
  const { staffId } = ownAccount(ctx)
  return inTransaction(ctx, async (ctx) => {
    await checkPassword(ctx, { staffId, password })
    const secret = generateRandomString(SECRET_LENGTH)
    const begun = await queryOne<{ email: string }>(
      ctx,
      sql`
      with begun as (
        insert into staff_second_factor as f (id, staff_account_id, secret, backup_codes)
        values (${randomUUID()}, ${staffId}, ${await cipher.seal(secret)}, ${await cipher.seal('[]')})
        on conflict (staff_account_id) do update set secret = excluded.secret, last_used_step = null where not f.verified returning f.staff_account_id)
      select a.email from begun join staff_account a on a.id = begun.staff_account_id`,
    )
    if (begun === undefined) throw new DomainError('CHANGED')
    return { uri: createOTP(secret).url(DESK_NAME, begun.email) }
  })
}

/**
 * Turns the second factor on with a right code: signing in by password then requires one. Returns the backup codes for when the app is
 * lost, each valid once. CHANGED where nothing was started or it is on already, INVALID_PARAMETERS for a wrong code.
 */
export function confirmSecondFactor(
  ctx: Ctx,
  { code, cipher }: CodeInput & { cipher: Cipher },
): Promise<{ backupCodes: string[] }> {
  const { staffId } = ownAccount(ctx)
  return inTransaction(ctx, async (ctx) => {
    const begun = await queryOne<{ secret: string }>(
      ctx,
      sql`
      select secret from staff_second_factor where staff_account_id = ${staffId} and not verified for no key update`,
    )
    if (begun === undefined) throw new DomainError('CHANGED')
    const step = await stepOfCode(await cipher.open(begun.secret), code.replace(/\s/g, ''), ctx.now())
    if (step === undefined || !(await consumeCode(ctx, { staffId, step })))
      throw new DomainError('INVALID_PARAMETERS', { detail: ['code: wrong code'] })

    const backupCodes = await writeBackupCodes(ctx, { staffId, cipher })
    await execute(
      ctx,
      sql`
      with held as (update staff_second_factor set verified = true where staff_account_id = ${staffId})
      update staff_account set two_factor_enabled = true, updated_at = ${ctx.now()} where id = ${staffId}`,
    )
    await recordAudit(ctx, { action: 'staff.secondFactorOn', subjectType: 'staff', subjectId: staffId })
    return { backupCodes }
  })
}

/** The previous backup codes stop working. CHANGED where no codes are required. */
export function renewBackupCodes(
  ctx: Ctx,
  { password, cipher }: PasswordInput & { cipher: Cipher },
): Promise<{ backupCodes: string[] }> {
  const { staffId } = ownAccount(ctx)
  return inTransaction(ctx, async (ctx) => {
    await checkPassword(ctx, { staffId, password })
    const backupCodes = await writeBackupCodes(ctx, { staffId, cipher })
    await recordAudit(ctx, { action: 'staff.backupCodesRenewed', subjectType: 'staff', subjectId: staffId })
    return { backupCodes }
  })
}

/** CHANGED where no codes are required. */
export function endSecondFactor(ctx: Ctx, { password }: PasswordInput): Promise<{ isOn: false }> {
  const { staffId } = ownAccount(ctx)
  return inTransaction(ctx, async (ctx) => {
    await checkPassword(ctx, { staffId, password })
    if (!(await dropSecondFactor(ctx, staffId))) throw new DomainError('CHANGED')
    await recordAudit(ctx, { action: 'staff.secondFactorOff', subjectType: 'staff', subjectId: staffId })
    return { isOn: false }
  })
}

/**
 * For a colleague of lower rank who lost their second factor: the password alone is enough again, and their passkeys stop working. CHANGED
 * where there is neither.
 */
export function resetSecondFactor(ctx: Ctx, { staffId }: StaffInput): Promise<{ passkeys: number }> {
  return inTransaction(ctx, async (ctx) => {
    await lockColleague(ctx, staffId)
    const wasOn = await dropSecondFactor(ctx, staffId)
    const passkeys = await execute(ctx, sql`delete from staff_passkey where staff_account_id = ${staffId}`)
    if (!wasOn && passkeys === 0) throw new DomainError('CHANGED')
    await recordAudit(ctx, {
      action: 'staff.secondFactorReset',
      subjectType: 'staff',
      subjectId: staffId,
      before: { isOn: wasOn, passkeys },
    })
    return { passkeys }
  })
}

async function writeBackupCodes(ctx: Ctx, { staffId, cipher }: { staffId: string; cipher: Cipher }): Promise<string[]> {
  const codes = Array.from({ length: BACKUP_CODES }, newBackupCode)
  const written = await execute(
    ctx,
    sql`
    update staff_second_factor set backup_codes = ${await cipher.seal(JSON.stringify(codes))}
    where staff_account_id = ${staffId}`,
  )
  if (written === 0) throw new DomainError('CHANGED')
  return codes
}

function newBackupCode(): string {
  const letters = generateRandomString(10, 'a-z', '0-9')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** Returns whether codes were required. */
async function dropSecondFactor(ctx: Ctx, staffId: string): Promise<boolean> {
  const dropped = await execute(
    ctx,
    sql`
    with dropped as (delete from staff_second_factor where staff_account_id = ${staffId})
    update staff_account set two_factor_enabled = false, updated_at = ${ctx.now()}
    where id = ${staffId} and two_factor_enabled`,
  )
  return dropped > 0
}
