import type { Replicas } from '#server/core/database/db-types.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { readSettings } from '#server/core/env.ts'
import { createLogger, type Logger } from '#server/core/log.ts'
import { keyFor } from '#server/core/secret.ts'
import { createServer } from '#server/http/create-server.ts'
import type { ArrivalTimes } from '#server/http/request-limits.ts'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { openIdOf } from '#server/modules/accounts/access/open-id-connect.ts'
import { createSignInTries } from '#server/modules/accounts/access/sign-in-tries.ts'
import { createStaffAuth } from '#server/modules/accounts/access/staff-auth.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testNotifications } from '#server/testing/notifications.ts'
import { sessionCookie } from '#server/testing/session-cookie.ts'
import { createStaffAccount } from '#server/testing/staff-account.ts'
import { testTranslations } from '#server/testing/translations.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { whenOver } from '#server/testing/when-over.ts'

/** Tests sign in in quick succession; sign-ins are rate-limited as usual outside of them. */
const RATES = 'read=100000/s,write=100000/s,search=100000/s'

/** The REST and tRPC APIs on a port of their own, with tokens and sessions for any user that a test needs. */
export async function testApi(
  database: Database,
  environment: Record<string, string> = {},
  { arrivalTimes, replicas, log: givenLog }: { arrivalTimes?: ArrivalTimes; replicas?: Replicas; log?: Logger } = {},
) {
  const settings = readSettings({
    PORT: '0',
    DOCKET_ROLES: 'api',
    LOG_LEVEL: 'error',
    RATE_LIMITS: RATES,
    ...environment,
  })
  const ctx = systemCtx(database)
  const log = givenLog ?? createLogger(settings.LOG_LEVEL)
  // The port is known once the server listens; browsers' origins are checked against the request's own host.
  const staffAuth = createStaffAuth({
    key: keyFor('a secret for tests, long enough to be one', 'sessions'),
    origins: ['http://localhost:3000', 'http://127.0.0.1:*'],
    openId: openIdOf(settings),
    prisma: database.prisma,
    ctx,
  })
  const app = await createServer({
    settings,
    isProduction: false,
    reportKey: keyFor('a secret for tests, long enough to be one', 'reports'),
    answerKey: keyFor('a secret for tests, long enough to be one', 'answers'),
    parts: {
      system: { ...ctx, actor: { kind: 'system', name: 'docket' }, log, networkId: settings.NETWORK_ID, replicas },
      staffAuth,
      webhooks: testWebhooks,
      notifications: testNotifications,
      translations: testTranslations(),
    },
    signIn: { tries: createSignInTries(database.pool, settings.RATE_LIMITS.signin), publicUrl: undefined },
    readiness: async () => true,
    stopping: new AbortController().signal,
    arrivalTimes,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  whenOver(() => app.close())

  const staff = (role: { roleId: string; communityId?: string }) => createStaffAccount(database, role)

  /** A new session of this account, as the cookie that carries it; without the time that checking a password takes. */
  const signIn = async ({ staffId }: { staffId: string }) => {
    const { name, value } = await sessionCookie(database, staffId)
    return `${name}=${value}`
  }

  /** The cookies of a sign-in at the desk; empty where it is rejected. */
  const signInByPassword = async ({ email, password }: { email: string; password: string }) => {
    const answer = await fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    return answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ')
  }

  const tokenOf = async (userId?: string) => (await createToken(ctx, { userId, lifetimeMs: 3_600_000 })).accessToken

  return {
    url,
    tokenOf,
    call: async (
      method: string,
      path: string,
      { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
    ) => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      return {
        status: answer.status,
        headers: answer.headers,
        body: isJson && text !== '' ? JSON.parse(text) : text || undefined,
      }
    },
    /** A user with a dashboard account of this role. */
    staff,
    signIn,
    signInByPassword,
  }
}
