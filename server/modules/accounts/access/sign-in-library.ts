import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { APIError, isAPIError } from 'better-auth/api'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, queryOne, sql } from '#server/core/db.ts'
import { consumeCode, stepOfCode } from '#server/modules/accounts/access/consume-code.ts'
import { keepingFailures, unlessDatabaseFailed } from '#server/modules/accounts/access/hidden-failures.ts'
import { inDatabaseTime } from '#server/modules/accounts/access/in-database-time.ts'
import { openIdConnect } from '#server/modules/accounts/access/open-id-connect.ts'
import { PASSWORD_LENGTH } from '#server/modules/accounts/access/schema.ts'
import { withSessionDigests } from '#server/modules/accounts/access/session-digests.ts'
import {
  ADDRESS_HEADER,
  type Cipher,
  DESK_NAME,
  REQUEST_ID_HEADER,
  type StaffAuthOptions,
} from '#server/modules/accounts/access/staff-auth-options.ts'
import { type Act, recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

const SESSION_SECONDS = 7 * 24 * 3600
const SESSION_RENEWED_AFTER_SECONDS = 24 * 3600

/** Throws errors that the library didn't mean as an answer, such as one of the database: it would hide them and answer 500. */
function throwUnlessAnswer(error: unknown): void {
  if (!isAPIError(error)) throw error
}

/** The sign-in library with Docket's rules. Importing this file takes a quarter of a start's time: `createStaffAuth` does so on demand. */
export async function openSignInLibrary({ key, origins, openId, prisma, ctx }: StaffAuthOptions) {
  const baseURL = origins[0] ?? 'http://localhost'
  const useSecureCookies = baseURL.startsWith('https://')
  const secret = key.toString('base64url')
  const cipher: Cipher = {
    seal: (text) => symmetricEncrypt({ key: secret, data: text }),
    open: (sealed) => symmetricDecrypt({ key: secret, data: sealed }),
  }
  const auth = betterAuth({
    appName: DESK_NAME,
    baseURL,
    basePath: '/api/auth',
    secret,
    trustedOrigins: origins,
    database: withSessionDigests(
      prismaAdapter(inDatabaseTime(keepingFailures(prisma), ctx.now), { provider: 'postgresql' }),
    ),
    user: {
      modelName: 'staffAccount',
      additionalFields: {
        networkUserId: { type: 'string', input: false, required: true },
        isDisabled: { type: 'boolean', input: false },
      },
    },
    session: { modelName: 'staffSession', expiresIn: SESSION_SECONDS, updateAge: SESSION_RENEWED_AFTER_SECONDS },
    account: { modelName: 'staffLogin', updateAccountOnSignIn: false },
    verification: { modelName: 'staffVerification' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
    },
    // Tries are counted in PostgreSQL, for all processes together (sign-in-tries.ts).
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    onAPIError: { onError: throwUnlessAnswer, errorURL: '/sign-in' },
    advanced: {
      cookiePrefix: 'docket',
      useSecureCookies,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
    },
    plugins: [
      // Wrong codes count like wrong passwords: locking the account would let anyone with the password shut its owner out.
      twoFactor({ schema: { twoFactor: { modelName: 'staffSecondFactor' } }, accountLockout: { enabled: false } }),
      passkey({
        rpName: DESK_NAME,
        schema: { passkey: { modelName: 'staffPasskey' } },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: ({ user }) => auditStaff(ctx, user.id, { action: 'staff.passkeyAdded' }),
        },
        // A passkey replaces password and code together, so it has to verify its person.
        authentication: {
          afterVerification: ({ verification }) => {
            if (!verification.authenticationInfo.userVerified) throw new APIError('UNAUTHORIZED')
          },
        },
      }),
      ...(openId ? [genericOAuth({ config: [openIdConnect(ctx, openId)] })] : []),
    ],
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }, call) => {
            if (!(await maySignIn(ctx, userId))) return rejectSession(call?.path)
            if (
              call?.path === VERIFY_TOTP &&
              !(await consumeGivenCode(ctx, { staffId: userId, code: call.body?.code, cipher }))
            )
              return rejectSession(call.path)
            return undefined
          },
          after: async ({ userId }, call) => {
            const by = SIGN_IN_METHODS[call?.path ?? '']
            if (by === 'password' && (await asksForCode(ctx, userId))) return
            const { address, ...request } = requestOf(call?.headers)
            await auditStaff({ ...ctx, ...request }, userId, {
              action: 'staff.signedIn',
              ...(by && { after: { by } }),
              text: address,
            })
          },
        },
        delete: {
          after: async ({ userId }, call) => {
            // Where a code is required, the session of the password alone is removed before the response is sent.
            if (SIGN_IN_METHODS[call?.path ?? ''] === undefined)
              await auditStaff({ ...ctx, ...requestOf(call?.headers) }, userId, { action: 'staff.signedOut' })
          },
        },
      },
      account: {
        create: {
          // Tokens of the organisation's sign-in are not stored: nothing uses them.
          before: async (login) => ({ data: { ...login, accessToken: null, refreshToken: null, idToken: null } }),
          after: async ({ userId }) => {
            await execute(ctx, sql`delete from staff_link where staff_account_id = ${userId}`)
            await auditStaff(ctx, userId, { action: 'staff.linked' })
          },
        },
      },
    },
  })
  const { internalAdapter } = await auth.$context
  return {
    handler: (request: Request) => unlessDatabaseFailed(() => auth.handler(request)),
    cipher,
    internalAdapter,
  }
}

const VERIFY_TOTP = '/two-factor/verify-totp'

/** Rejects a session. Without one the library would answer these two paths with a server error; it rejects the others itself. */
function rejectSession(path: string | undefined): false {
  if (path?.startsWith('/two-factor/') || path?.startsWith('/passkey/')) throw new APIError('UNAUTHORIZED')
  return false
}

/** Uses up a code that the library has compared; false if it was used before, or is being used at this moment. */
async function consumeGivenCode(
  ctx: Ctx,
  { staffId, code, cipher }: { staffId: string; code: unknown; cipher: Cipher },
): Promise<boolean> {
  const factor = await queryOne<{ secret: string }>(
    ctx,
    sql`select secret from staff_second_factor where staff_account_id = ${staffId}`,
  )
  if (factor === undefined || typeof code !== 'string') return false
  const step = await stepOfCode(await cipher.open(factor.secret), code, ctx.now())
  return step !== undefined && consumeCode(ctx, { staffId, step })
}

/** The sign-in method of this request. */
const SIGN_IN_METHODS: Record<string, string> = {
  '/sign-in/email': 'password',
  [VERIFY_TOTP]: 'code',
  '/two-factor/verify-backup-code': 'backupCode',
  '/passkey/verify-authentication': 'passkey',
  '/callback/:id': 'openId',
}

async function maySignIn(ctx: Ctx, staffId: string): Promise<boolean> {
  const account = await queryOne(
    ctx,
    sql`
    select true as allowed from staff_account a join network_user u on u.user_id = a.network_user_id
    where a.id = ${staffId} and not a.is_disabled and not u.is_global_ban and not u.is_deleted`,
  )
  return account !== undefined
}

async function asksForCode(ctx: Ctx, staffId: string): Promise<boolean> {
  const account = await queryOne(ctx, sql`select 1 from staff_account where id = ${staffId} and two_factor_enabled`)
  return account !== undefined
}

/** What the headers of `toWebRequest` say of the request; nothing where the server itself opens or ends a session. */
function requestOf(headers: Headers | undefined) {
  const requestId = headers?.get(REQUEST_ID_HEADER)
  return {
    ...(requestId && { requestId, source: 'desk' as const }),
    address: headers?.get(ADDRESS_HEADER) ?? undefined,
  }
}

/** Logs what somebody did with their own account. */
async function auditStaff(ctx: Ctx, staffId: string, act: Pick<Act, 'action' | 'after' | 'text'>): Promise<void> {
  const owner = await queryOne<{ userId: string; name: string }>(
    ctx,
    sql`select network_user_id as user_id, name from staff_account where id = ${staffId}`,
  )
  await recordAudit(
    { ...ctx, actor: owner ? { kind: 'user', ...owner, staffId } : { kind: 'system', name: `staff:${staffId}` } },
    { ...act, subjectType: 'staff', subjectId: staffId },
  )
}
