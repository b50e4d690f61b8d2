import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UserId } from '#server/core/wire/schema.ts'
import { createAuthToken } from '#server/modules/access/auth-token.ts'
import { endOwnSession, endSessionsOf } from '#server/modules/access/end-sessions.ts'
import { openSession } from '#server/modules/access/open-session.ts'
import { readSession } from '#server/modules/access/read-session.ts'
import { OpenedSession, Session, SessionInput } from '#server/modules/access/schema.ts'
import type { SignInTries } from '#server/modules/access/sign-in-tries.ts'
import { rateLimited } from '#server/rest/envelope.ts'

export interface SessionOptions {
  tries: SignInTries
  /** Whether every session needs an `authToken` (CONTRACT.md, Who may do what). */
  isSecureMode: boolean
}

/** WIRE.md, section 4: versions 3 and 4 named the end `expiredAt` and had a second token; opening a session again renews it. */
const EarlierSession = OpenedSession.extend({ expiredAt: z.iso.datetime(), refreshToken: z.string() }).meta({
  id: 'EarlierSession',
})
const Ended = z.object({ success: z.literal(true) })
const UserParams = z.object({ userId: UserId })

/** Opening, verifying and ending the sessions of apps (WIRE.md, section 4). */
export const sessionRoutes: FastifyPluginAsyncZod<SessionOptions> = async (app, { tries, isSecureMode }) => {
  app.post(
    '/api/v5/sessions',
    {
      schema: { summary: 'Open a session', body: SessionInput, response: { 200: OpenedSession } },
      config: { takesKey: 'sessions' },
    },
    (request, reply) => tried(request, reply, () => openSession(request.ctx, { ...request.body, isSecureMode })),
  )

  for (const version of ['v4', 'v3'] as const) {
    app.post(
      `/api/${version}/sessions`,
      {
        schema: { summary: 'Open a session', body: SessionInput, response: { 200: EarlierSession } },
        config: { takesKey: 'sessions' },
      },
      async (request, reply) => {
        const session = await tried(request, reply, () => openSession(request.ctx, { ...request.body, isSecureMode }))
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
        summary: "End one's own session, or those of a user",
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
    { schema: { summary: 'End the sessions of a user', params: UserParams, response: { 200: Ended } } },
    async ({ ctx, params }) => {
      await endSessionsOf(ctx, params)
      return { success: true as const }
    },
  )

  app.post(
    '/api/v4/authentication/token',
    {
      schema: {
        summary: 'Vouch for a user, as a backend',
        body: UserParams,
        response: { 200: { content: { 'text/plain': { schema: z.string() } } } },
      },
      config: { takesKey: 'server' },
    },
    async ({ ctx, body }, reply) => reply.type('text/plain; charset=utf-8').send(await createAuthToken(ctx, body)),
  )

  interface Try {
    ip: string
    body: { userId: string }
  }

  /** Tries are counted for all processes together; one that succeeds forgives those before it. */
  async function tried<Opened>({ ip, body: { userId } }: Try, reply: FastifyReply, open: () => Promise<Opened>) {
    const counted = await tries.count({ guess: 'secret', account: userId, address: ip })
    if ('waitMs' in counted) throw rateLimited(reply, counted.waitMs)
    const opened = await open()
    await counted.forgive()
    return opened
  }
}
