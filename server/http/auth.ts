import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DeskPath, deskPathOf } from '#server/core/desk-path/schema.ts'
import { DomainError } from '#server/core/errors.ts'
import { boundedString } from '#server/core/text.ts'
import type { Parts } from '#server/http/request-context.ts'
import { assertSameOrigin } from '#server/http/trpc.ts'
import { createFailedSignInAudit, type FailedSignIn } from '#server/modules/accounts/access/audit-failed-sign-in.ts'
import { OPEN_ID } from '#server/modules/accounts/access/open-id-connect.ts'
import type { Attempt, SignInTries } from '#server/modules/accounts/access/sign-in-tries.ts'
import { ADDRESS_HEADER, REQUEST_ID_HEADER } from '#server/modules/accounts/access/staff-auth-options.ts'
import { answerFailure, rateLimited } from '#server/rest/envelope.ts'

export interface SignIn {
  tries: SignInTries
  publicUrl: string | undefined
}

const Credentials = z.object({
  email: boundedString({ min: 1, max: 200 }),
  password: boundedString({ min: 1, max: 200 }),
})
const Code = z.object({ code: boundedString({ min: 1, max: 20 }) })
const PasskeyAnswer = z.object({
  response: z.record(z.string(), z.unknown()),
  name: boundedString({ max: 100 }).optional(),
})
const Onward = z.object({ path: DeskPath.default('/') })
/** The provider's sign-in page, from its discovery document. */
const ProviderPage = z.object({ url: z.url({ protocol: /^https?$/ }) })

/** Signing in and out at the desk; only these routes of better-auth are open. */
export async function authRoutes(
  app: FastifyInstance,
  { parts, signIn }: { parts: Parts; signIn: SignIn },
): Promise<void> {
  app.addHook('onRequest', async (request) => assertSameOrigin(request, signIn.publicUrl))
  const { devices } = parts.staffAuth
  const auditFailed = createFailedSignInAudit()
  const ask = (request: FastifyRequest, asked: Asked) => parts.staffAuth.handler(toWebRequest(request, asked))
  const failed = (request: FastifyRequest, what: Omit<FailedSignIn, 'address'>) =>
    auditFailed({ ...parts.system, source: 'desk', requestId: request.id }, { ...what, address: request.ip })
  const attemptOf = (request: FastifyRequest, guess: Attempt['guess'], account: string): Attempt => ({
    guess,
    account,
    address: request.ip,
    device: devices.read(request.cookies),
  })

  /** After a sign-in, remembers this address and this device for the account. */
  const welcome = async (reply: FastifyReply, attempt: Attempt): Promise<void> => {
    const device = attempt.device ?? devices.newDevice()
    await signIn.tries.remember({ ...attempt, device })
    reply.header('set-cookie', devices.cookieOf(device))
  }

  const countFrom = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const tries = await signIn.tries.countFrom(request.ip, 1, devices.read(request.cookies))
    if ('waitMs' in tries) throw rateLimited(reply, tries.waitMs)
  }

  app.post('/api/auth/sign-in/email', { config: { countsTries: true } }, async (request, reply) => {
    const given = Credentials.safeParse(request.body)
    if (!given.success) await countFrom(request, reply)
    const { password, ...said } = parse(Credentials, request.body)
    const email = said.email.trim().toLowerCase()
    const attempt = attemptOf(request, 'password', email)
    const tries = await signIn.tries.count(attempt)
    if ('waitMs' in tries) {
      await failed(request, { by: 'password', account: { email }, isRefused: true })
      throw rateLimited(reply, tries.waitMs)
    }

    const answer = await ask(request, { body: { email, password } })
    if (Number.isFinite(tries.left)) reply.header('x-tries-left', tries.left)
    if (!answer.ok) {
      await failed(request, { by: 'password', account: { email } })
      return answerFailure(reply, failureOf(answer))
    }
    await tries.forgive()
    passCookies(answer, reply)
    const { twoFactorRedirect } = z.object({ twoFactorRedirect: z.boolean().optional() }).parse(await answer.json())
    if (twoFactorRedirect !== true) await welcome(reply, attempt)
    return reply.send({ status: 'success', asksForCode: twoFactorRedirect === true })
  })

  // The cookie of the first step says who signs in; an existing session is not used.
  for (const [way, by] of CODES) {
    app.post(`/api/auth/two-factor/${way}`, { config: { countsTries: true } }, async (request, reply) => {
      const email = await parts.staffAuth.readFirstStep(request.cookies)
      if (email === undefined) {
        await countFrom(request, reply)
        throw new DomainError('UNAUTHORIZED')
      }
      const { code } = parse(Code, request.body)
      const attempt = attemptOf(request, 'code', email)
      const tries = await signIn.tries.count(attempt)
      if ('waitMs' in tries) {
        await failed(request, { by, account: { email }, isRefused: true })
        throw rateLimited(reply, tries.waitMs)
      }
      const answer = await ask(request, {
        body: { code: code.trim() },
        cookies: (name) => !name.endsWith('.session_token'),
      })
      if (!answer.ok) {
        await failed(request, { by, account: { email } })
        return answerFailure(reply, failureOf(answer))
      }
      await tries.forgive()
      passCookies(answer, reply)
      await welcome(reply, attempt)
      return reply.send({ status: 'success' })
    })
  }

  for (const way of ['generate-register-options', 'generate-authenticate-options']) {
    app.get(`/api/auth/passkey/${way}`, { config: { countsTries: true } }, async (request, reply) => {
      await countFrom(request, reply)
      const answer = await ask(request, {})
      if (!answer.ok) return answerFailure(reply, failureOf(answer))
      passCookies(answer, reply)
      return reply.send(await answer.json())
    })
  }

  app.post('/api/auth/passkey/verify-registration', async (request, reply) => {
    const answer = await ask(request, { body: parse(PasskeyAnswer, request.body) })
    if (!answer.ok) return answerFailure(reply, failureOf(answer))
    passCookies(answer, reply)
    return reply.send({ status: 'success' })
  })

  app.post('/api/auth/passkey/verify-authentication', { config: { countsTries: true } }, async (request, reply) => {
    await countFrom(request, reply)
    const body = parse(PasskeyAnswer, request.body)
    const answer = await ask(request, { body })
    if (!answer.ok) {
      const { id } = body.response
      await failed(request, { by: 'passkey', account: typeof id === 'string' ? { passkey: id } : undefined })
      return answerFailure(reply, failureOf(answer))
    }
    passCookies(answer, reply)
    reply.header('set-cookie', devices.cookieOf(devices.read(request.cookies) ?? devices.newDevice()))
    return reply.send({ status: 'success' })
  })

  if (parts.staffAuth.openIdName !== undefined) openIdRoutes(app, { ask, failed })

  app.post('/api/auth/sign-out', async (request, reply) => {
    passCookies(await ask(request, { body: {} }), reply)
    return reply.send({ status: 'success' })
  })
}

const CODES = [
  ['verify-totp', 'code'],
  ['verify-backup-code', 'backupCode'],
] as const

interface OpenIdSteps {
  ask: (request: FastifyRequest, asked: Asked) => Promise<Response>
  failed: (request: FastifyRequest, what: Omit<FailedSignIn, 'address'>) => Promise<void>
}

/** Redirects to the organisation's sign-in and handles its callback; rejected people return to the sign-in page. */
function openIdRoutes(app: FastifyInstance, { ask, failed }: OpenIdSteps): void {
  app.post('/api/auth/sign-in/social', async (request, reply) => {
    const { path } = parse(Onward, request.body)
    const answer = await ask(request, {
      body: {
        provider: OPEN_ID,
        callbackURL: path,
        errorCallbackURL: `/sign-in?${new URLSearchParams([['then', path]])}`,
        disableRedirect: true,
      },
    })
    if (!answer.ok) return answerFailure(reply, new DomainError('UNAVAILABLE'))
    passCookies(answer, reply)
    return reply.send(ProviderPage.parse(await answer.json()))
  })

  app.get(`/api/auth/callback/${OPEN_ID}`, async (request, reply) => {
    const answer = await ask(request, {})
    const location = answer.headers.get('location')
    if (!opensSession(answer)) await failed(request, { by: 'openId' })
    if (location === null) return answerFailure(reply, failureOf(answer))
    passCookies(answer, reply)
    return reply.redirect(backToDesk(location))
  })
}

/** The library returns a path of the desk or one below the desk's own address: only the path is used. */
function backToDesk(location: string): string {
  const { pathname, search, hash } = new URL(location, 'http://desk.invalid')
  return deskPathOf(`${pathname}${search}${hash}`) ?? '/sign-in'
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new DomainError('INVALID_PARAMETERS', {
    detail: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
  })
}

/** Someone who may not sign in gets no reason; someone signed in learns that their session is too old to add a sign-in method. */
function failureOf({ status }: Response): DomainError {
  if (status === 403) return new DomainError('FORBIDDEN')
  return new DomainError(status >= 500 ? 'UNEXPECTED' : 'UNAUTHORIZED')
}

interface Asked {
  /** Without one it is a GET. */
  body?: object
  cookies?: (name: string) => boolean
}

function toWebRequest(request: FastifyRequest, { body, cookies = () => true }: Asked): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    [ADDRESS_HEADER]: request.ip,
    [REQUEST_ID_HEADER]: request.id,
  })
  for (const name of ['origin', 'user-agent']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const passed = (request.headers.cookie ?? '').split(/; */).filter((cookie) => cookies(cookie.split('=', 1)[0] ?? ''))
  headers.set('cookie', passed.join('; '))
  const url = `${request.protocol}://${request.host}${request.url}`
  if (!URL.canParse(url)) throw new DomainError('INVALID_REQUEST', { detail: ['host: not valid'] })
  return new Request(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
}

function opensSession(answer: Response): boolean {
  return answer.headers.getSetCookie().some((cookie) => /\.session_token=[^;]/.test(cookie))
}

function passCookies(answer: Response, reply: FastifyReply): void {
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
}
