import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assertBoundedJson } from '#server/core/bounded-json.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError, ERRORS } from '#server/core/errors.ts'
import { answerCalls, callProcedure } from '#server/http/call-procedures.ts'
import { closeStreamsOnShutdown } from '#server/http/close-streams-on-shutdown.ts'
import { deskContext, type Parts, pageContext } from '#server/http/request-context.ts'
import type { SignInTries } from '#server/modules/accounts/access/sign-in-tries.ts'
import { type LiveHub, openLiveHub } from '#server/modules/live/live-hub.ts'
import { failureOf } from '#server/rest/envelope.ts'
import type { OwnSignInContext, TrpcContext, WireFailure } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/root.ts'

/** The only subscription. */
const LIVE_EVENTS = 'live.events'

interface TrpcOptions {
  parts: Parts
  tries: SignInTries
  publicUrl: string | undefined
  /** Signs the links to download files. */
  linkKey: Buffer
}

/** The desk's own interface: browsers call it over HTTP with their cookie, rendered pages call it in this process. */
export async function trpcRoutes(app: FastifyInstance, options: TrpcOptions): Promise<void> {
  const { parts, publicUrl, linkKey } = options
  const liveHub = openLiveHub(parts.system)
  app.addHook('onClose', () => liveHub.close())
  closeStreamsOnShutdown(app)
  app.addHook('onRequest', async (request) => assertSameOrigin(request, publicUrl))
  app.addHook('preValidation', async ({ body, query }) => {
    const { input } = query as { input?: unknown }
    for (const text of [body, input]) if (typeof text === 'string') assertBoundedJson(text)
  })
  app.setErrorHandler((error, request, reply) => answerAsTrpc(failureOf(error, request), request, reply))
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => body,
  )
  const contextOf = (request: FastifyRequest) => trpcContext(options, liveHub, request)
  app.get(`/api/trpc/${LIVE_EVENTS}`, async (req, res) => {
    const ctx = await contextOf(req)
    await fastifyRequestHandler({ router: appRouter, path: LIVE_EVENTS, req, res, createContext: () => ctx })
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/api/trpc/:path',
    handler: async (request, reply) => answerCalls(request, reply, await contextOf(request)),
  })
  Object.assign(globalThis, {
    [Symbol.for('docket.call')]: (call: PageCall) => callFromPage({ ...parts, linkKey }, call),
  })
}

async function trpcContext(
  { parts, tries, linkKey }: TrpcOptions,
  liveHub: LiveHub,
  request: FastifyRequest,
): Promise<TrpcContext> {
  const ctx = await deskContext(parts, request)
  const session = ('sessionId' in ctx.actor && ctx.actor.sessionId) || ''
  const renew = () => deskContext(parts, request)
  return {
    ...ctx,
    webhooks: parts.webhooks,
    notifications: parts.notifications,
    translations: parts.translations,
    linkKey,
    follow: (following) => liveHub.subscribe({ ctx, session, renew }, following),
    ownSignIn: { ...signInMethods(parts), counted: rateLimitedBy(tries, ctx, request.ip) },
  }
}

function signInMethods({ staffAuth: { cipher, openIdName } }: Pick<Parts, 'staffAuth'>) {
  return { cipher, openIdName }
}

/** Password checks in an open session share the limit of sign-in, so an unattended desk allows no more attempts. */
function rateLimitedBy(tries: SignInTries, { actor }: Ctx, address: string): OwnSignInContext['counted'] {
  const account = 'staffId' in actor ? `own-${actor.staffId}` : 'nobody'
  return async (attempt) => {
    const counted = await tries.count({ guess: 'own', account, address })
    if ('waitMs' in counted) throw new DomainError('RATE_LIMITED')
    const result = await attempt()
    await counted.forgive()
    return result
  }
}

/** No subscriptions and no password checks while a page is rendered. */
const subscribeNever: TrpcContext['follow'] = () => Promise.reject(new DomainError('NOT_FOUND'))
const tryNothing: OwnSignInContext['counted'] = () => Promise.reject(new DomainError('NOT_FOUND'))

/** A mutation is authenticated by a cookie, so it must come from one of our pages, as JSON (docs/desk.md#limits-of-requests). */
export function assertSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const origin = request.headers.origin
  const own = [`${request.protocol}://${request.host}`, ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin])]
  if (origin === undefined || !own.includes(origin))
    throw new DomainError('FORBIDDEN', { detail: ['origin: must be a page of this desk'] })
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new DomainError('INVALID_REQUEST', { detail: ['content-type: must be application/json'] })
}

/** Errors raised before the router runs, in the shape that the desk reads. */
function answerAsTrpc(
  { code: failure, details: facts }: DomainError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { http, wire, text, trpc } = ERRORS[failure]
  const docket: WireFailure = { wire, requestId: request.id, ...(facts && { facts }) }
  const data = { code: trpc, httpStatus: http, docket }
  return reply.code(http).send({ error: { message: text, code: TRPC_ERROR_CODES_BY_KEY[trpc], data } })
}

interface PageCall {
  path: string
  type: 'query' | 'mutation'
  input: unknown
}

/** The answer as HTTP would give it: pages cannot distinguish the two ways. */
async function callFromPage(
  { webhooks, notifications, translations, staffAuth, linkKey }: Parts & { linkKey: Buffer },
  { path, type, input }: PageCall,
): Promise<unknown> {
  const findContext = async () => {
    const ctx = await pageContext.getStore()?.()
    if (ctx === undefined) throw new Error('a page called outside of its request')
    const ownSignIn = { ...signInMethods({ staffAuth }), counted: tryNothing }
    return { ...ctx, webhooks, notifications, translations, follow: subscribeNever, linkKey, ownSignIn }
  }
  return JSON.parse(JSON.stringify(await callProcedure({ path, type, findContext, readInput: () => input })))
}
