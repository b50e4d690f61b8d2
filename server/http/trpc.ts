import { callTRPCProcedure, getErrorShape, getTRPCErrorFromUnknown, type TRPCProcedureType } from '@trpc/server'
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { cutStreamsOnStop } from '#server/http/cut-streams-on-stop.ts'
import { deskContext, type Parts, pageContext, processContext } from '#server/http/request-context.ts'
import { type Desks, openDesks } from '#server/modules/live/open-desks.ts'
import type { TrpcContext } from '#server/trpc/init.ts'
import { type AppRouter, appRouter } from '#server/trpc/root.ts'

interface TrpcOptions {
  parts: Parts
  publicUrl: string | undefined
  /** Signs the links that files are fetched by. */
  linkKey: Buffer
}

/** The desk's own interface: browsers over HTTP with their cookie, pages while they are rendered by a call in this process. */
export async function trpcRoutes(app: FastifyInstance, { parts, publicUrl, linkKey }: TrpcOptions): Promise<void> {
  const desks = openDesks(processContext(parts))
  app.addHook('onClose', () => desks.close())
  cutStreamsOnStop(app)
  app.addHook('onRequest', async (request) => refuseForeignPages(request, publicUrl))
  await app.register(fastifyTRPCPlugin, {
    prefix: '/api/trpc',
    trpcOptions: {
      router: appRouter,
      createContext: async ({ req }) => ({ ...(await trpcContext(parts, desks, req)), linkKey }),
    },
  } satisfies FastifyTRPCPluginOptions<AppRouter>)
  Object.assign(globalThis, {
    [Symbol.for('docket.call')]: (call: PageCall) => callFromPage({ ...parts, linkKey }, call),
  })
}

async function trpcContext(parts: Parts, desks: Desks, request: FastifyRequest): Promise<Omit<TrpcContext, 'linkKey'>> {
  const ctx = await deskContext(parts, request)
  const session = parts.staffAuth.readCookie(request.cookies) ?? ''
  const renew = () => deskContext(parts, request)
  return { ctx, webhooks: parts.webhooks, follow: (following) => desks.follow({ ctx, session, renew }, following) }
}

/** While a page is rendered nobody follows anything. */
const followNothing: TrpcContext['follow'] = () => Promise.reject(new DomainError('NOT_FOUND'))

/** A mutation rides on a cookie, so it must come from a page of ours, as JSON (CONTRACT.md, Who may do what). */
export function refuseForeignPages(request: FastifyRequest, publicUrl: string | undefined): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const origin = request.headers.origin
  const own = [`${request.protocol}://${request.host}`, ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin])]
  if (origin === undefined || !own.includes(origin))
    throw new DomainError('FORBIDDEN', { detail: ['origin: not a page of this desk'] })
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new DomainError('INVALID_REQUEST', { detail: ['content-type: must be application/json'] })
}

interface PageCall {
  path: string
  type: TRPCProcedureType
  input: unknown
  signal?: AbortSignal
}

/** The answer in the shapes that HTTP would give: pages cannot tell the two ways apart. */
async function callFromPage(
  { webhooks, linkKey }: Parts & { linkKey: Buffer },
  { path, type, input, signal }: PageCall,
) {
  let ctx: Ctx | undefined
  try {
    ctx = await pageContext.getStore()?.()
    if (ctx === undefined) throw new Error('a page called outside of its request')
    const data = await callTRPCProcedure({
      router: appRouter,
      path,
      type,
      ctx: { ctx, webhooks, follow: followNothing, linkKey },
      getRawInput: async () => input,
      signal: signal ?? new AbortController().signal,
      batchIndex: 0,
    })
    return { ok: true, data: data === undefined ? undefined : JSON.parse(JSON.stringify(data)) }
  } catch (thrown) {
    const error = getTRPCErrorFromUnknown(thrown)
    return {
      ok: false,
      error: getErrorShape({
        config: appRouter._def._config,
        error,
        type,
        path,
        input,
        ctx: ctx && { ctx, webhooks, follow: followNothing, linkKey },
      }),
    }
  }
}
