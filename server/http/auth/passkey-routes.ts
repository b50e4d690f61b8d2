import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boundedString } from '#server/core/text.ts'
import { failureOf, parseBody, passCookies } from '#server/http/auth/library-request.ts'
import type { SignInSteps } from '#server/http/auth/sign-in-steps.ts'
import type { Parts } from '#server/http/request-context.ts'
import { answerFailure } from '#server/rest/envelope.ts'

const PasskeyAnswer = z.object({
  response: z.record(z.string(), z.unknown()),
  name: boundedString({ max: 100 }).optional(),
})

/** Adding passkeys, and signing in with one. */
export function passkeyRoutes(app: FastifyInstance, { staffAuth }: Parts, steps: SignInSteps): void {
  const { ask, countFrom, logFailed } = steps
  const { devices } = staffAuth

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
    const answer = await ask(request, { body: parseBody(PasskeyAnswer, request.body) })
    if (!answer.ok) return answerFailure(reply, failureOf(answer))
    passCookies(answer, reply)
    return reply.send({ status: 'success' })
  })

  app.post('/api/auth/passkey/verify-authentication', { config: { countsTries: true } }, async (request, reply) => {
    await countFrom(request, reply)
    const body = parseBody(PasskeyAnswer, request.body)
    const answer = await ask(request, { body })
    if (!answer.ok) {
      const { id } = body.response
      await logFailed(request, { by: 'passkey', account: typeof id === 'string' ? { passkey: id } : undefined })
      return answerFailure(reply, failureOf(answer))
    }
    passCookies(answer, reply)
    reply.header('set-cookie', devices.cookieOf(devices.read(request.cookies) ?? devices.newDevice()))
    return reply.send({ status: 'success' })
  })
}
