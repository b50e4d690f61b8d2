import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Settings } from '#server/core/env.ts'
import { DomainError } from '#server/core/errors.ts'
import { collectMethods } from '#server/http/allowed-methods.ts'
import { assetRoutes } from '#server/http/assets.ts'
import { authRoutes, type SignIn } from '#server/http/auth/auth-routes.ts'
import { closeConnections } from '#server/http/close-connections.ts'
import { allowOrigins } from '#server/http/cors.ts'
import { healthRoutes, type Readiness } from '#server/http/health.ts'
import { measureRequests } from '#server/http/metrics.ts'
import { pageRoutes } from '#server/http/pages.ts'
import { limitRates } from '#server/http/rate-limits.ts'
import { deskContext, linkContext, type Parts, readSessions, restContext } from '#server/http/request-context.ts'
import {
  type ArrivalTimes,
  limitHeaders,
  PARAMETER_LENGTH,
  parserLimits,
  rejectUnreadable,
} from '#server/http/request-limits.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { stopRoute } from '#server/http/stop-route.ts'
import { traceRequests } from '#server/http/trace-requests.ts'
import { trpcRoutes } from '#server/http/trpc.ts'
import { createSignInTries } from '#server/modules/accounts/access/sign-in-tries.ts'
import { parseBoundedJson } from '#server/rest/bounded-body.ts'
import { answerFailure, answerFailuresInEnvelope } from '#server/rest/envelope.ts'
import { parseQueryString } from '#server/rest/query-string.ts'
import { restRoutes } from '#server/rest/root.ts'

/** A larger body is 413 (docs/interface/conventions.md#requests-and-responses). */
const BODY_BYTES = 1_000_000

export interface ServerOptions {
  settings: Settings
  parts: Parts
  signIn: SignIn
  readiness: Readiness
  /** Aborted when the process begins to stop; it keeps answering until it is closed. */
  stopping: AbortSignal
  /** Signs the links to download reports and exports. */
  reportKey: Buffer
  /** Encrypts the answers stored for idempotent retries. */
  answerKey: Buffer
  isProduction: boolean
  arrivalTimes?: ArrivalTimes | undefined
}

/** Everything on one port: health and metrics, sign-in, tRPC, REST; every other path goes to the pages. */
export async function createServer({
  settings,
  parts,
  signIn,
  readiness,
  stopping,
  reportKey,
  answerKey,
  isProduction,
  arrivalTimes,
}: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: parts.system.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    forceCloseConnections: 'idle',
    // On a busy machine, loading the pages takes longer than Fastify's ten seconds.
    pluginTimeout: 60_000,
    // What still arrives on an open connection during a stop is answered: its sender can't know.
    return503OnClosing: false,
    trustProxy: proxiesTrusted(settings.TRUST_PROXY),
    bodyLimit: BODY_BYTES,
    requestIdHeader: false,
    genReqId: ({ headers }) => givenRequestId(headers['x-request-id']) ?? randomUUID(),
    ...parserLimits(arrivalTimes),
    routerOptions: { maxParamLength: PARAMETER_LENGTH, querystringParser: parseQueryString },
    // A path that cannot be decoded, or that is longer than any id, is rejected before routing.
    frameworkErrors: (error, _request, reply) => {
      answerFailure(reply, new DomainError(error.code === 'FST_ERR_BAD_URL' ? 'INVALID_REQUEST' : 'NOT_FOUND'))
    },
    clientErrorHandler: rejectUnreadable,
  })
  const methodsOf = collectMethods(app)
  answerFailuresInEnvelope(app)
  limitHeaders(app)
  parseBoundedJson(app)
  traceRequests(app, { isBehindProxy: settings.TRUST_PROXY !== false })
  logRequests(app)
  closeConnections(app, stopping)
  await app.register(cookie)
  await app.register(compress, { customTypes: /^(?!text\/event-stream)(text\/|application\/(json|javascript))/ })
  securityHeaders(app)
  measureRequests(app)
  allowOrigins(app, settings.CORS_ORIGINS)
  readSessions(app, parts)
  limitRates(app, { rates: settings.RATE_LIMITS, tries: signIn.tries })

  await app.register(healthRoutes, {
    readiness,
    stopping,
    metricsToken: settings.METRICS_TOKEN,
    isBehindProxy: settings.TRUST_PROXY !== false,
  })
  if (settings.DOCKET_ROLES.includes('api') || settings.DOCKET_ROLES.includes('pages')) {
    await app.register(authRoutes, { parts, signIn })
    await app.register(trpcRoutes, { parts, tries: signIn.tries, publicUrl: settings.PUBLIC_URL, linkKey: reportKey })
  }
  await app.register(stopRoute, { parts })
  if (settings.DOCKET_ROLES.includes('api')) {
    await app.register(restRoutes, {
      findContext: (request) => restContext(parts, request),
      findDeskContext: (request) => deskContext(parts, request),
      findLinkContext: (request, credential) => linkContext(parts, request, credential),
      sessions: {
        tries: createSignInTries(parts.system.pool, settings.RATE_LIMITS.signin, 'rest'),
        isSecureMode: settings.SESSION_SECURE_MODE,
      },
      reportKey,
      answerKey,
      statementLinks: parts.notifications,
      checksAnswers: !isProduction,
    })
  }
  // Unknown paths below /api never reach the pages.
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
    await app.register(pageRoutes, {
      isProduction,
      findContext: (request) => deskContext(parts, request),
      settings,
    })
  }
  return app
}

/**
 * A number is how many proxies are in front, counted from the server; `true` is one. The leftmost address is never used as the caller's:
 * anyone can write it.
 */
function proxiesTrusted(setting: Settings['TRUST_PROXY']) {
  if (typeof setting === 'string' || setting === false) return setting
  return (_address: string, hop: number) => hop < Number(setting)
}

/** Keeps a caller's own request id if it is harmless in a log and a header. */
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
    /** Requested by machines every few seconds. */
    isQuiet?: boolean
    /** Not rate-limited: probes, and files that never change. */
    isUnlimited?: boolean
  }
}
