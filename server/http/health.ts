import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '#server/core/errors.ts'
import { digestOf } from '#server/core/ids.ts'
import { metrics } from '#server/http/metrics.ts'

/** Whether the database answers with every migration applied, and the process is not about to stop. */
export type Readiness = () => Promise<boolean>

interface HealthOptions {
  readiness: Readiness
  metricsToken: string | undefined
}

/** CONTRACT.md, Settings: `/healthz` while the process lives, `/readyz` once it can work, `/metrics` as Prometheus text. */
export async function healthRoutes(app: FastifyInstance, { readiness, metricsToken }: HealthOptions): Promise<void> {
  const config = { isQuiet: true }
  app.get('/healthz', { config }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config }, async (_request, reply) => {
    const isReady = await readiness().catch(() => false)
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' })
  })
  app.get('/metrics', { config }, async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken))
      throw new DomainError(metricsToken === undefined ? 'NOT_FOUND' : 'UNAUTHORIZED')
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return /^(127\.|::1$|::ffff:127\.)/.test(request.ip)
  return timingSafeEqual(digestOf(request.headers.authorization ?? ''), digestOf(`Bearer ${token}`))
}
