import { randomUUID } from 'node:crypto'
import { hashPassword, verifyPassword } from '@better-auth/utils/password'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

const IS_PASSWORD = (staffId: string) => sql`staff_account_id = ${staffId} and provider_id = 'credential'`

/** Sets the password of an account that the caller's transaction has locked; the previous one stops working. */
export async function writePassword(
  ctx: Ctx,
  { staffId, password }: { staffId: string; password: string },
): Promise<void> {
  const hash = await hashPassword(password)
  const changed = await execute(
    ctx,
    sql`
    update staff_login set password = ${hash}, updated_at = ${ctx.now()} where ${IS_PASSWORD(staffId)}`,
  )
  if (changed > 0) return
  await execute(
    ctx,
    sql`
    insert into staff_login (id, account_id, provider_id, staff_account_id, password)
    values (${randomUUID()}, ${staffId}, 'credential', ${staffId}, ${hash})`,
  )
}

/**
 * Locks the account's password and compares: INVALID_PARAMETERS where it is wrong, FORBIDDEN where there is none. The account stays
 * unchanged for the rest of the transaction.
 */
export async function checkPassword(
  ctx: Ctx,
  { staffId, password }: { staffId: string; password: string },
): Promise<void> {
  const login = await queryOne<{ hash: string | null }>(
    ctx,
    sql`select password as hash from staff_login where ${IS_PASSWORD(staffId)} for no key update`,
  )
  if (!login?.hash) throw new DomainError('FORBIDDEN')
  if (!(await verifyPassword(login.hash, password)))
    throw new DomainError('INVALID_PARAMETERS', { detail: ['password: wrong password'] })
}
