import { RateLimiterMemory } from 'rate-limiter-flexible'
import { addressKey } from '#server/core/address-key.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

export interface FailedSignIn {
  by: 'password' | 'code' | 'backupCode' | 'passkey' | 'openId'
  /** The account that was tried, as far as the request names it. */
  account?: { email: string } | { staffId: string } | { passkey: string } | undefined
  address: string
  /** The password wasn't compared because there were too many attempts before this one. */
  isRefused?: boolean
}

export type AuditFailedSignIn = (ctx: Ctx, failed: FailedSignIn) => Promise<void>

const MINUTE = 60
const ROWS_OF_AN_ADDRESS = 20
const ROWS_IN_ALL = 120

/**
 * Records failed sign-ins in the log, with the address and the account that was tried in the part that can be erased. An attacker adds at
 * most 20 rows a minute from one address and 120 in all, in each process; the next row says how many were left out before it. Each failure
 * also goes to the process's log, without the account: what was typed there may be a password.
 */
export function createFailedSignInAudit(): AuditFailedSignIn {
  const ofAddress = new RateLimiterMemory({ keyPrefix: 'address', points: ROWS_OF_AN_ADDRESS, duration: MINUTE })
  const inAll = new RateLimiterMemory({ keyPrefix: 'all', points: ROWS_IN_ALL, duration: MINUTE })
  const refused = new RateLimiterMemory({ keyPrefix: 'refused', points: 1, duration: MINUTE })
  const isWithin = (limiter: RateLimiterMemory, key: string) =>
    limiter.consume(key).then(
      () => true,
      () => false,
    )
  let leftOut = 0

  return async (ctx, failed) => {
    const { by, address, isRefused = false } = failed
    ctx.log.warn({ address, by, isRefused, requestId: ctx.requestId }, 'sign-in failed')
    const key = addressKey(address)
    const isRecorded =
      (!isRefused || (await isWithin(refused, key))) &&
      (await isWithin(ofAddress, key)) &&
      (await isWithin(inAll, 'all'))
    if (!isRecorded) {
      leftOut += 1
      return
    }

    const before = leftOut
    leftOut = 0
    const tried = await findAccount(ctx, failed)
    await recordAudit(
      { ...ctx, actor: { kind: 'nobody' } },
      {
        action: 'staff.signInFailed',
        subjectType: 'staff',
        subjectId: tried.staffId ?? 'unknown',
        after: { by, why: isRefused ? 'tooManyTries' : tried.why, ...(before > 0 && { leftOutBefore: before }) },
        text: tried.name === undefined ? address : `${tried.name} · ${address}`,
      },
    )
  }
}

interface Tried {
  staffId?: string
  name: string | undefined
  why: 'unknownAccount' | 'switchedOff' | 'wrong'
}

/** Finds whom somebody tried to sign in as, by one statement whether or not there is such an account, so that it takes equally long. */
async function findAccount(ctx: Ctx, { account }: FailedSignIn): Promise<Tried> {
  const said = { email: '', staffId: '', passkey: '', ...account }
  const known = await queryOne<{ staffId: string; email: string; maySignIn: boolean }>(
    ctx,
    sql`
    select a.id as staff_id, a.email, not (a.is_disabled or u.is_global_ban or u.is_deleted) as may_sign_in
    from staff_account a join network_user u on u.user_id = a.network_user_id
    where a.email = ${said.email} or a.id = ${said.staffId}
      or a.id = (select p.staff_account_id from staff_passkey p where p.credential_id = ${said.passkey})`,
  )
  if (known === undefined) return { name: said.email || undefined, why: 'unknownAccount' }
  return { staffId: known.staffId, name: known.email, why: known.maySignIn ? 'wrong' : 'switchedOff' }
}
