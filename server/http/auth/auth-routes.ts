import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { DomainError } from '#server/core/errors.ts'
import { boundedString } from '#server/core/text.ts'
import { failureOf, parseBody, passCookies } from '#server/http/auth/library-request.ts'
import { openIdRoutes } from '#server/http/auth/open-id-routes.ts'
import { passkeyRoutes } from '#server/http/auth/passkey-routes.ts'
import { createSignInSteps, type SignInSteps } from '#server/http/auth/sign-in-steps.ts'
import type { Parts } from '#server/http/request-context.ts'
import { assertSameOrigin } from '#server/http/trpc.ts'
import type { SignInTries } from '#server/modules/accounts/access/sign-in-tries.ts'
import { answerFailure } from '#server/rest/envelope.ts'

export interface SignIn {
  tries: SignInTries
  publicUrl: string | undefined
}

/** Signing in and out at the desk; only these routes of better-auth are open. */
export async function authRoutes(
  app: FastifyInstance,
  { parts, signIn }: { parts: Parts; signIn: SignIn },
): Promise<void> {
  app.addHook('onRequest', async (request) => assertSameOrigin(request, signIn.publicUrl))
  const steps = createSignInSteps(parts, signIn.tries)
  passwordRoute(app, steps)
  codeRoutes(app, parts, steps)
  passkeyRoutes(app, parts, steps)
  if (parts.staffAuth.openIdName !== undefined) openIdRoutes(app, steps)

  app.post('/api/auth/sign-out', async (request, reply) => {
    passCookies(await steps.ask(request, { body: {} }), reply)
    return reply.send({ status: 'success' })
  })
}

const Credentials = z.object({
  email: boundedString({ min: 1, max: 200 }),
  password: boundedString({ min: 1, max: 200 }),
})

function passwordRoute(app: FastifyInstance, { countFrom, guess, rememberDevice }: SignInSteps): void {
  app.post('/api/auth/sign-in/email', { config: { countsTries: true } }, async (request, reply) => {
    const given = Credentials.safeParse(request.body)
    if (!given.success) await countFrom(request, reply)
    const { password, ...said } = parseBody(Credentials, request.body)
    const email = said.email.trim().toLowerCase()
    const guessed = { what: 'password', account: email } as const
    const { answer, left } = await guess(request, reply, {
      ...guessed,
      by: 'password',
      asked: { body: { email, password } },
    })
    if (Number.isFinite(left)) reply.header('x-tries-left', left)
    if (!answer.ok) return answerFailure(reply, failureOf(answer))

    const { twoFactorRedirect } = z.object({ twoFactorRedirect: z.boolean().optional() }).parse(await answer.json())
    if (twoFactorRedirect !== true) await rememberDevice(request, reply, guessed)
    return reply.send({ status: 'success', asksForCode: twoFactorRedirect === true })
  })
}

const CODES = [
  ['verify-totp', 'code'],
  ['verify-backup-code', 'backupCode'],
] as const
const Code = z.object({ code: boundedString({ min: 1, max: 20 }) })

/** The second step. The cookie of the first says who signs in; an existing session is not used. */
function codeRoutes(app: FastifyInstance, { staffAuth }: Parts, steps: SignInSteps): void {
  for (const [way, by] of CODES) {
    app.post(`/api/auth/two-factor/${way}`, { config: { countsTries: true } }, async (request, reply) => {
      const account = await staffAuth.readFirstStep(request.cookies)
      if (account === undefined) {
        await steps.countFrom(request, reply)
        throw new DomainError('UNAUTHORIZED')
      }
      const { code } = parseBody(Code, request.body)
      const guessed = { what: 'code', account } as const
      const asked = { body: { code: code.trim() }, cookies: (name: string) => !name.endsWith('.session_token') }
      const { answer } = await steps.guess(request, reply, { ...guessed, by, asked })
      if (!answer.ok) return answerFailure(reply, failureOf(answer))
      await steps.rememberDevice(request, reply, guessed)
      return reply.send({ status: 'success' })
    })
  }
}
