import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimits } from '#server/core/env.ts'
import { digestOf } from '#server/core/ids.ts'
import { rateLimited } from '#server/rest/envelope.ts'

/** CONTRACT.md, Settings: one address may speak for several tokens. */
const ADDRESS_FACTOR = 5
const KINDS = ['read', 'write', 'search'] as const

type Kind = (typeof KINDS)[number]

/** How often one token and one address may call the interface, counted in this process; 400311 with Retry-After beyond that. */
export function createRateLimits(
  rates: Partial<RateLimits>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const limiters = new Map(KINDS.map((kind) => [kind, limitersOf(rates[kind])]))
  return async (request, reply) => {
    const limiter = limiters.get(kindOf(request))
    if (limiter === undefined) return
    try {
      await limiter.byAddress.consume(request.ip)
      const token = request.headers.authorization
      if (token !== undefined) await limiter.byToken.consume(digestOf(token).toString('base64'))
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? rateLimited(reply, refusal.msBeforeNext) : refusal
    }
  }
}

function limitersOf(rate: RateLimits[Kind] | undefined) {
  if (rate === undefined) return undefined
  const duration = rate.perMs / 1000
  return {
    byToken: new RateLimiterMemory({ duration, points: rate.points }),
    byAddress: new RateLimiterMemory({ duration, points: rate.points * ADDRESS_FACTOR }),
  }
}

function kindOf({ method, routeOptions }: FastifyRequest): Kind {
  if (/^\/api\/v\d\/search\//.test(routeOptions.url ?? '')) return 'search'
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write'
}
