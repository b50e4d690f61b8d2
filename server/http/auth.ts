import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError } from '#server/core/errors.ts'
import { boundedString } from '#server/core/text.ts'
import type { Parts } from '#server/http/request-context.ts'
import { refuseForeignPages } from '#server/http/trpc.ts'
import { OPEN_ID } from '#server/modules/access/open-id-connect.ts'
import type { SignInTries } from '#server/modules/access/sign-in-tries.ts'
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
const Onward = z.object({
  /** Where to go on: a path of this desk. */
  path: boundedString({ max: 2_000 })
    .regex(/^\/(?![/\\])[^\s\\]*$/)
    .default('/'),
})

/** Signing in and out at the desk; of better-auth's many ways only these are open. */
export async function authRoutes(
  app: FastifyInstance,
  { parts, signIn }: { parts: Parts; signIn: SignIn },
): Promise<void> {
  app.addHook('onRequest', async (request) => refuseForeignPages(request, signIn.publicUrl))
  const ask = (request: FastifyRequest, asked: Asked) => parts.staffAuth.handler(toWebRequest(request, asked))

  app.post('/api/auth/sign-in/email', async (request, reply) => {
    const { email, password } = parse(Credentials, request.body)
    const tries = await signIn.tries.count(email, request.ip)
    if ('waitMs' in tries) throw rateLimited(reply, tries.waitMs)

    const answer = await ask(request, { body: { email: email.trim().toLowerCase(), password } })
    if (Number.isFinite(tries.left)) reply.header('x-tries-left', tries.left)
    if (!answer.ok) return answerFailure(reply, failureOf(answer))
    await signIn.tries.forgive(email)
    passCookies(answer, reply)
    const { twoFactorRedirect } = z.object({ twoFactorRedirect: z.boolean().optional() }).parse(await answer.json())
    return reply.send({ status: 'success', asksForCode: twoFactorRedirect === true })
  })

  const countTry = async (request: FastifyRequest, reply: FastifyReply) => {
    const tries = await signIn.tries.countFrom(request.ip)
    if ('waitMs' in tries) throw rateLimited(reply, tries.waitMs)
  }

  // What a cookie of the first step says who it is; a session, where there is one, has no part in it. Tries are counted by the account.
  for (const way of ['verify-totp', 'verify-backup-code']) {
    app.post(`/api/auth/two-factor/${way}`, { preHandler: countTry }, async (request, reply) => {
      const answer = await ask(request, {
        body: { code: parse(Code, request.body).code.trim() },
        cookies: (name) => !name.endsWith('.session_token'),
      })
      if (answer.status === 429) throw new DomainError('RATE_LIMITED')
      if (!answer.ok) return answerFailure(reply, failureOf(answer))
      passCookies(answer, reply)
      return reply.send({ status: 'success' })
    })
  }

  for (const way of ['generate-register-options', 'generate-authenticate-options']) {
    app.get(`/api/auth/passkey/${way}`, { preHandler: countTry }, async (request, reply) => {
      const answer = await ask(request, {})
      if (!answer.ok) return answerFailure(reply, failureOf(answer))
      passCookies(answer, reply)
      return reply.send(await answer.json())
    })
  }

  for (const way of ['verify-registration', 'verify-authentication']) {
    app.post(`/api/auth/passkey/${way}`, { preHandler: countTry }, async (request, reply) => {
      const answer = await ask(request, { body: parse(PasskeyAnswer, request.body) })
      if (!answer.ok) return answerFailure(reply, failureOf(answer))
      passCookies(answer, reply)
      return reply.send({ status: 'success' })
    })
  }

  if (parts.staffAuth.openIdName !== undefined) openIdRoutes(app, { ask, countTry })

  app.post('/api/auth/sign-out', async (request, reply) => {
    passCookies(await ask(request, { body: {} }), reply)
    return reply.send({ status: 'success' })
  })
}

interface Door {
  ask: (request: FastifyRequest, asked: Asked) => Promise<Response>
  countTry: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** To the organisation's sign-in, and back with what it says; whoever is refused comes back to the door. */
function openIdRoutes(app: FastifyInstance, { ask, countTry }: Door): void {
  app.post('/api/auth/sign-in/social', { preHandler: countTry }, async (request, reply) => {
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
    return reply.send(z.object({ url: z.url() }).parse(await answer.json()))
  })

  app.get(`/api/auth/callback/${OPEN_ID}`, { preHandler: countTry }, async (request, reply) => {
    const answer = await ask(request, {})
    const location = answer.headers.get('location')
    if (location === null) return answerFailure(reply, failureOf(answer))
    passCookies(answer, reply)
    return reply.redirect(location)
  })
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new DomainError('INVALID_PARAMETERS', {
    detail: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
  })
}

/** Who may not come in is not told why; who is in, that it is too long ago to add a way in. */
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
  const headers = new Headers({ 'content-type': 'application/json', 'x-docket-ip': request.ip })
  for (const name of ['origin', 'user-agent']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const passed = (request.headers.cookie ?? '').split(/; */).filter((cookie) => cookies(cookie.split('=', 1)[0] ?? ''))
  headers.set('cookie', passed.join('; '))
  const url = `${request.protocol}://${request.host}${request.url}`
  return new Request(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
}

function passCookies(answer: Response, reply: FastifyReply): void {
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
}
