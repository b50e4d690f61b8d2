import { createHmac, timingSafeEqual } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import type { Ctx } from '#server/core/ctx.ts'
import { type Db, isClient, Prisma, queryOne } from '#server/core/db.ts'
import { PASSWORD_LENGTH } from '#server/modules/access/schema.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'

const SESSION_SECONDS = 7 * 24 * 3600
const SESSION_RENEWED_AFTER_SECONDS = 24 * 3600

export interface StaffAuthOptions {
  /** What the sessions are signed with. */
  key: Buffer
  /** Where browsers reach the desk, the first one being what it is called. */
  origins: string[]
  ctx: Ctx
}

export type StaffAuth = ReturnType<typeof createStaffAuth>

/** Signing in and out by e-mail and password. Accounts are made by the command line, the set-up link or an admin: nobody signs up. */
export function createStaffAuth({ key, origins, ctx }: StaffAuthOptions) {
  const baseURL = origins[0] ?? 'http://localhost'
  const useSecureCookies = baseURL.startsWith('https://')
  const auth = betterAuth({
    baseURL,
    basePath: '/api/auth',
    secret: key.toString('base64url'),
    trustedOrigins: origins,
    database: prismaAdapter(asClient(ctx.db), { provider: 'postgresql' }),
    user: {
      modelName: 'staffAccount',
      additionalFields: {
        networkUserId: { type: 'string', input: false, required: true },
        isDisabled: { type: 'boolean', input: false },
      },
    },
    session: { modelName: 'staffSession', expiresIn: SESSION_SECONDS, updateAge: SESSION_RENEWED_AFTER_SECONDS },
    account: { modelName: 'staffLogin' },
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
    advanced: {
      cookiePrefix: 'docket',
      useSecureCookies,
      ipAddress: { ipAddressHeaders: ['x-docket-ip'] },
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ((await maySignIn(ctx, session.userId)) ? undefined : false),
          after: (session) => auditSession(ctx, 'staff.signedIn', session.userId),
        },
        delete: { after: (session) => auditSession(ctx, 'staff.signedOut', session.userId) },
      },
    },
  })
  return {
    handler: auth.handler,
    readCookie: (cookies: Record<string, string | undefined>) => readCookie(cookies, { key, useSecureCookies }),
  }
}

/** The adapter wants the client, which a context outside a transaction holds. */
function asClient(db: Db) {
  if (!isClient(db)) throw new Error('staff sign-in needs a client, not a transaction')
  return db
}

async function maySignIn(ctx: Ctx, staffId: string): Promise<boolean> {
  const account = await queryOne(
    ctx,
    Prisma.sql`
    select true as allowed from staff_account a join network_user u on u.user_id = a.network_user_id
    where a.id = ${staffId} and not a.is_disabled and not u.is_global_ban and not u.is_deleted`,
  )
  return account !== undefined
}

function auditSession(ctx: Ctx, action: string, staffId: string): Promise<void> {
  return recordAudit(
    { ...ctx, actor: { kind: 'system', name: `staff:${staffId}` } },
    { action, subjectType: 'staff', subjectId: staffId },
  )
}

/** The session token that the signed cookie carries; undefined where there is none or its signature is wrong. */
function readCookie(
  cookies: Record<string, string | undefined>,
  { key, useSecureCookies }: { key: Buffer; useSecureCookies: boolean },
) {
  const value = cookies[`${useSecureCookies ? '__Secure-' : ''}docket.session_token`]
  const cut = value?.lastIndexOf('.') ?? -1
  if (value === undefined || cut < 1) return undefined

  const token = value.slice(0, cut)
  const given = Buffer.from(value.slice(cut + 1), 'base64')
  const right = createHmac('sha256', key.toString('base64url')).update(token).digest()
  return given.length === right.length && timingSafeEqual(given, right) ? token : undefined
}
