import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { DeskPath, deskPathOf } from '#server/core/desk-path/schema.ts'
import { DomainError } from '#server/core/errors.ts'
import { failureOf, parseBody, passCookies } from '#server/http/auth/library-request.ts'
import type { SignInSteps } from '#server/http/auth/sign-in-steps.ts'
import { OPEN_ID } from '#server/modules/accounts/access/open-id-connect.ts'
import { answerFailure } from '#server/rest/envelope.ts'

const Onward = z.object({ path: DeskPath.default('/') })
/** The provider's sign-in page, from its discovery document. */
const ProviderPage = z.object({ url: z.url({ protocol: /^https?$/ }) })

/** Redirects to the organisation's sign-in and handles its callback; rejected people return to the sign-in page. */
export function openIdRoutes(app: FastifyInstance, { ask, logFailed }: SignInSteps): void {
  app.post('/api/auth/sign-in/social', async (request, reply) => {
    const { path } = parseBody(Onward, request.body)
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
    if (!opensSession(answer)) await logFailed(request, { by: 'openId' })
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

function opensSession(answer: Response): boolean {
  return answer.headers.getSetCookie().some((cookie) => /\.session_token=[^;]/.test(cookie))
}
