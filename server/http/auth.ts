import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError } from '#server/core/errors.ts'
import type { Parts } from '#server/http/request-context.ts'
import { refuseForeignPages } from '#server/http/trpc.ts'
import type { SignInTries } from '#server/modules/access/sign-in-tries.ts'
import { answerFailure, rateLimited } from '#server/rest/envelope.ts'

export interface SignIn {
  tries: SignInTries
  publicUrl: string | undefined
}

const Credentials = z.object({ email: z.string().min(1).max(200), password: z.string().min(1).max(200) })

/** Signing in and out at the desk; of better-auth's many ways only these two are open. */
export async function authRoutes(
  app: FastifyInstance,
  { parts, signIn }: { parts: Parts; signIn: SignIn },
): Promise<void> {
  app.addHook('onRequest', async (request) => refuseForeignPages(request, signIn.publicUrl))

  app.post('/api/auth/sign-in/email', async (request, reply) => {
    const credentials = Credentials.safeParse(request.body)
    if (!credentials.success)
      throw new DomainError('INVALID_PARAMETERS', {
        detail: credentials.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
      })

    const { email, password } = credentials.data
    const tries = await signIn.tries.count(email, request.ip)
    if ('waitMs' in tries) throw rateLimited(reply, tries.waitMs)

    const answer = await parts.staffAuth.handler(toWebRequest(request, { email: email.trim().toLowerCase(), password }))
    if (Number.isFinite(tries.left)) reply.header('x-tries-left', tries.left)
    if (!answer.ok) return answerFailure(reply, new DomainError(answer.status >= 500 ? 'UNEXPECTED' : 'UNAUTHORIZED'))
    await signIn.tries.forgive(email)
    passCookies(answer, reply)
    return reply.send({ status: 'success' })
  })

  app.post('/api/auth/sign-out', async (request, reply) => {
    passCookies(await parts.staffAuth.handler(toWebRequest(request, {})), reply)
    return reply.send({ status: 'success' })
  })
}

function toWebRequest(request: FastifyRequest, body: object): Request {
  const headers = new Headers({ 'content-type': 'application/json', 'x-docket-ip': request.ip })
  for (const name of ['cookie', 'origin', 'user-agent']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request(`${request.protocol}://${request.host}${request.url}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
}

function passCookies(answer: Response, reply: FastifyReply): void {
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
}
