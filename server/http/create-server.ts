import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Settings } from '#server/core/env.ts'
import { DomainError, FAILURES } from '#server/core/errors.ts'
import { collectMethods } from '#server/http/allowed-methods.ts'
import { assetRoutes } from '#server/http/assets.ts'
import { authRoutes, type SignIn } from '#server/http/auth.ts'
import { closeConnections } from '#server/http/close-connections.ts'
import { allowOrigins } from '#server/http/cors.ts'
import { healthRoutes, type Readiness } from '#server/http/health.ts'
import { measureRequests } from '#server/http/metrics.ts'
import { pageRoutes } from '#server/http/pages.ts'
import { createRateLimits } from '#server/http/rate-limits.ts'
import { deskContext, type Parts, restContext } from '#server/http/request-context.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { trpcRoutes } from '#server/http/trpc.ts'
import { createSignInTries } from '#server/modules/access/sign-in-tries.ts'
import { answerFailure, answerFailuresInEnvelope } from '#server/rest/envelope.ts'
import { parseQueryString } from '#server/rest/query-string.ts'
import { restRoutes } from '#server/rest/root.ts'

/** INTERFACE.md allows ids of 900 characters in a path and twenty of them in a query, percent-encoded. */
const PARAMETER_LENGTH = 16_384
const HEADER_BYTES = 262_144
/** CONTRACT.md: a body over 1 MB is refused. */
const BODY_BYTES = 1_000_000

export interface ServerOptions {
  settings: Settings
  parts: Parts
  signIn: SignIn
  readiness: Readiness
  /** Signs the links that reports and exports are fetched by. */
  reportKey: Buffer
  isProduction: boolean
}

/** All doors on one port: health and metrics, sign-in, tRPC, REST, and every other path handed to the pages. */
export async function createServer({
  settings,
  parts,
  signIn,
  readiness,
  reportKey,
  isProduction,
}: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: parts.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    forceCloseConnections: 'idle',
    trustProxy: proxiesTrusted(settings.TRUST_PROXY),
    bodyLimit: BODY_BYTES,
    requestIdHeader: false,
    genReqId: ({ headers }) => givenRequestId(headers['x-request-id']) ?? randomUUID(),
    http: { maxHeaderSize: HEADER_BYTES },
    routerOptions: { maxParamLength: PARAMETER_LENGTH, querystringParser: parseQueryString },
    // A path that cannot be decoded, or that is longer than any id: refused before a route is found.
    frameworkErrors: (error, _request, reply) => {
      answerFailure(reply, new DomainError(error.code === 'FST_ERR_BAD_URL' ? 'INVALID_REQUEST' : 'NOT_FOUND'))
    },
    clientErrorHandler: refuseUnreadable,
  })
  const methodsOf = collectMethods(app)
  answerFailuresInEnvelope(app)
  logRequests(app)
  closeConnections(app)
  await app.register(cookie)
  await app.register(compress, { customTypes: /^(?!text\/event-stream)(text\/|application\/(json|javascript))/ })
  securityHeaders(app)
  measureRequests(app)
  allowOrigins(app, settings.CORS_ORIGINS)

  await app.register(healthRoutes, { readiness, metricsToken: settings.METRICS_TOKEN })
  if (settings.DOCKET_ROLES.includes('api') || settings.DOCKET_ROLES.includes('pages')) {
    await app.register(authRoutes, { parts, signIn })
    await app.register(trpcRoutes, { parts, tries: signIn.tries, publicUrl: settings.PUBLIC_URL, linkKey: reportKey })
  }
  if (settings.DOCKET_ROLES.includes('api')) {
    await app.register(restRoutes, {
      findContext: (request) => restContext(parts, request),
      limitRate: createRateLimits(settings.RATE_LIMITS),
      sessions: {
        tries: createSignInTries(parts.database.pool, settings.RATE_LIMITS.signin, 'rest'),
        isSecureMode: settings.SESSION_SECURE_MODE,
      },
      reportKey,
      checksAnswers: !isProduction,
    })
  }
  // What no route of ours knows below /api never reaches the pages.
  app.all('/api/*', async (request, reply) => {
    const methods = request.method === 'OPTIONS' ? methodsOf(request.url.split('?', 1)[0] ?? '') : []
    if (methods.length === 0) throw new DomainError('NOT_FOUND')
    return reply
      .code(204)
      .header('allow', [...methods, 'OPTIONS'].join(', '))
      .send()
  })
  if (settings.DOCKET_ROLES.includes('pages')) {
    if (isProduction) await app.register(assetRoutes)
    await app.register(pageRoutes, { isProduction, findContext: (request) => deskContext(parts, request), settings })
  }
  return app
}

/** What is no HTTP, or a method that nobody knows: answered before there is a request. */
function refuseUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { wire, text } = FAILURES.INVALID_REQUEST
  const body = JSON.stringify({ status: 'error', code: wire, message: text })
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/** A number is how many proxies stand in front, counted from here. */
function proxiesTrusted(setting: Settings['TRUST_PROXY']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}

/** A caller's own id is kept where it is harmless in a log and a header. */
function givenRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,100}$/.test(header) ? header : undefined
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const level = request.routeOptions.config.isQuiet ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked for by machines, every few seconds. */
    isQuiet?: boolean
  }
}
