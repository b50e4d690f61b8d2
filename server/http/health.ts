import { timingSafeEqual } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '#server/core/errors.ts'
import { digestOf } from '#server/core/ids.ts'
import { metrics } from '#server/http/metrics.ts'

/** Whether the database answers with every migration applied. */
export type Readiness = () => Promise<boolean>

/** By when a request for health gets its answer, whatever the database does. */
const ANSWERS_WITHIN_MS = 2_000

interface HealthOptions {
  readiness: Readiness
  stopping: AbortSignal
  metricsToken: string | undefined
  isBehindProxy: boolean
}

/** `/healthz`, `/readyz` and `/metrics` (docs/interface/conventions.md#health-and-metrics). */
export async function healthRoutes(
  app: FastifyInstance,
  { readiness, stopping, metricsToken, isBehindProxy }: HealthOptions,
): Promise<void> {
  const config = { isQuiet: true, isUnlimited: true, invalid: 'INVALID_REQUEST' } as const
  const isReadyNow = shared(readiness)
  app.get('/healthz', { config }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config }, async (_request, reply) => {
    const isReady = (await isReadyNow()) && !stopping.aborted
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' })
  })
  app.get('/metrics', { config: { ...config, isUnlimited: false } }, async (request, reply) => {
    if (!mayReadMetrics(request, { metricsToken, isBehindProxy }))
      throw new DomainError(metricsToken === undefined ? 'NOT_FOUND' : 'UNAUTHORIZED')
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

/** Concurrent requests share one question to the database, for as long as it may take. */
function shared(readiness: Readiness): Readiness {
  let asked: Promise<boolean> | undefined
  return () => {
    asked ??= inTime(readiness()).finally(() => {
      asked = undefined
    })
    return asked
  }
}

function inTime(asked: Promise<boolean>): Promise<boolean> {
  const late = setTimeout(ANSWERS_WITHIN_MS, false, { ref: false })
  return Promise.race([asked.catch(() => false), late])
}

/** Whether the request may read metrics. Without a token only programs on this machine may, never through a proxy, which has an address of its own. */
function mayReadMetrics(
  request: FastifyRequest,
  { metricsToken, isBehindProxy }: Pick<HealthOptions, 'metricsToken' | 'isBehindProxy'>,
): boolean {
  if (metricsToken === undefined) {
    const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)
    return !isBehindProxy && !isForwarded && LOOPBACK.test(request.socket.remoteAddress ?? '')
  }
  return timingSafeEqual(digestOf(request.headers.authorization ?? ''), digestOf(`Bearer ${metricsToken}`))
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
