import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UserId } from '#server/core/wire/schema.ts'
import { createAuthToken } from '#server/modules/accounts/access/auth-token.ts'
import { endOwnSession, endSessionsOf } from '#server/modules/accounts/access/end-sessions.ts'
import { openSession } from '#server/modules/accounts/access/open-session.ts'
import { readSession } from '#server/modules/accounts/access/read-session.ts'
import { OpenedSession, Session, SessionInput } from '#server/modules/accounts/access/schema.ts'
import type { SignInTries } from '#server/modules/accounts/access/sign-in-tries.ts'
import { rateLimited } from '#server/rest/envelope.ts'

export interface SessionOptions {
  tries: SignInTries
  /** Whether every session needs an `authToken` (docs/interface/authentication.md#secure-mode). */
  isSecureMode: boolean
}

/** Versions 3 and 4 also return `expiredAt` and have a second token (docs/interface/authentication.md#open-a-session). */
const EarlierSession = OpenedSession.extend({ expiredAt: z.iso.datetime(), refreshToken: z.string() }).meta({
  id: 'EarlierSession',
})
const Ended = z.object({ success: z.literal(true) })
const UserParams = z.object({ userId: UserId })

/** Opens, verifies and ends the sessions of apps (docs/interface/authentication.md#open-a-session). */
export const sessionRoutes: FastifyPluginAsyncZod<SessionOptions> = async (app, { tries, isSecureMode }) => {
  const counted = countTries(tries)

  app.post(
    '/api/v5/sessions',
    {
      schema: { summary: 'Open a session', body: SessionInput, response: { 200: OpenedSession } },
      config: { takesKey: 'sessions' },
      ...counted,
    },
    ({ ctx, body }) => openSession(ctx, { ...body, isSecureMode }),
  )

  for (const version of ['v4', 'v3'] as const) {
    app.post(
      `/api/${version}/sessions`,
      {
        schema: { summary: 'Open a session', body: SessionInput, response: { 200: EarlierSession } },
        config: { takesKey: 'sessions' },
        ...counted,
      },
      async ({ ctx, body }) => {
        const session = await openSession(ctx, { ...body, isSecureMode })
        return { ...session, expiredAt: session.expiresAt, refreshToken: session.accessToken }
      },
    )
  }

  app.get(
    '/api/v3/sessions',
    { schema: { summary: 'Verify an access token', response: { 200: Session } } },
    ({ ctx }) => readSession(ctx),
  )

  app.delete(
    '/api/v4/sessions',
    {
      schema: {
        summary: 'End your own session, or all sessions of a user',
        querystring: UserParams.partial(),
        response: { 200: Ended },
      },
    },
    async ({ ctx, query: { userId } }) => {
      await (userId === undefined ? endOwnSession(ctx) : endSessionsOf(ctx, { userId }))
      return { success: true as const }
    },
  )

  app.delete(
    '/api/v4/sessions/users/:userId',
    { schema: { summary: 'End all sessions of a user', params: UserParams, response: { 200: Ended } } },
    async ({ ctx, params }) => {
      await endSessionsOf(ctx, params)
      return { success: true as const }
    },
  )

  app.post(
    '/api/v4/authentication/token',
    {
      schema: {
        summary: 'Issue a sign-in token for a user (backends)',
        body: UserParams,
        response: { 200: { content: { 'text/plain': { schema: z.string() } } } },
      },
      config: { takesKey: 'server' },
    },
    async ({ ctx, body }, reply) => {
      reply.type('text/plain; charset=utf-8')
      return createAuthToken(ctx, body)
    },
  )
}

/**
 * Attempts count for all processes together, and a successful one resets the count. Both run outside the session's transaction: a failed attempt
 * still counts, and an opened session is answered even if the reset fails.
 */
function countTries(tries: SignInTries) {
  const attempts = new WeakMap<object, { forgive: () => Promise<void> }>()
  const preHandler = async (request: FastifyRequest<{ Body: SessionInput }>, reply: FastifyReply) => {
    const counted = await tries.count({ guess: 'secret', account: request.body.userId, address: request.ip })
    if ('waitMs' in counted) throw rateLimited(reply, counted.waitMs)
    attempts.set(request, counted)
  }
  const onSend = async (request: FastifyRequest<{ Body: SessionInput }>, reply: FastifyReply) => {
    const attempt = attempts.get(request)
    if (attempt === undefined || reply.statusCode !== 200) return
    await attempt
      .forgive()
      .catch((error: unknown) => request.log.warn({ err: error }, 'sign-in attempts were not reset'))
  }
  return { preHandler, onSend }
}
