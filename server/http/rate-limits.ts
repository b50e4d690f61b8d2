import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { addressKey } from '#server/core/address-key.ts'
import type { RateLimits } from '#server/core/env.ts'
import { DomainError } from '#server/core/errors.ts'
import { digestOf } from '#server/core/ids.ts'
import { bearerOf } from '#server/http/request-context.ts'
import type { SignInTries } from '#server/modules/accounts/access/sign-in-tries.ts'
import { rateLimited } from '#server/rest/envelope.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Sign-in counts its own attempts, once it knows the account. */
    countsTries?: boolean
  }
}

/** How many times a token's limit an address has, as several may share one (docs/interface/conventions.md#rate-limits). */
const ADDRESS_FACTOR = 5
/** The most calls the desk puts into one request (`components/trpc/request.ts`). */
const MAX_BATCH_CALLS = 20

type Kind = keyof RateLimits

/** Procedures that search names or words, and those that anyone can call with the secret of a link. */
export const SEARCH_PROCEDURES = [
  'members.outsiders',
  'messages.search',
  'palette.find',
  'review.authors',
  'users.find',
] as const
export const LINK_PROCEDURES = ['access.setUp', 'staff.link', 'staff.acceptInvite'] as const
const LINK_PAGES = ['/invite', '/setup']

interface RateLimitOptions {
  rates: Partial<RateLimits>
  tries: SignInTries
}

/**
 * Limits how often one credential and one address may call: RATE_LIMITED with Retry-After beyond that. Counted in this process, except
 * sign-in attempts, which count for all processes together.
 */
export function limitRates(app: FastifyInstance, { rates, tries }: RateLimitOptions): void {
  const limiters = { read: limitersOf(rates.read), write: limitersOf(rates.write), search: limitersOf(rates.search) }
  app.addHook('onRequest', async (request, reply) => {
    const buckets = bucketsOf(request)
    if (callsOf(buckets) > MAX_BATCH_CALLS)
      throw new DomainError('INVALID_REQUEST', { detail: [`at most ${MAX_BATCH_CALLS} calls in one request`] })
    const address = addressKey(request.ip)
    const credential = credentialOf(request)
    for (const [kind, calls] of buckets) {
      if (kind === 'signin') await countTries({ tries, calls, address: request.ip }, reply)
      else await consume(limiters[kind], { calls, address, credential }, reply)
    }
  })
}

/** The limits a request counts against, and how many calls of each kind it makes. */
function bucketsOf(request: FastifyRequest): Map<Kind, number> {
  const { config, url = '' } = request.routeOptions
  if (config.isUnlimited || config.countsTries) return new Map()
  if (url.startsWith('/api/trpc/')) return proceduresOf(request)
  if (url.startsWith('/api/auth/')) return new Map([[url.endsWith('/sign-out') ? 'write' : 'signin', 1]])
  if (/^\/api\/v\d\/search\//.test(url)) return new Map([['search', 1]])
  if (LINK_PAGES.includes(request.url.split('?', 1)[0] ?? '')) return new Map([['signin', 1]])
  return new Map([[isReading(request) ? 'read' : 'write', 1]])
}

/** How many calls of each kind the request is: each call of a batch counts. */
function proceduresOf(request: FastifyRequest): Map<Kind, number> {
  const { path = '' } = request.params as { path?: string }
  const buckets = new Map<Kind, number>()
  for (const procedure of path.split(',')) {
    const kind = kindOf(procedure, request)
    buckets.set(kind, (buckets.get(kind) ?? 0) + 1)
  }
  return buckets
}

function kindOf(procedure: string, request: FastifyRequest): Kind {
  if ((LINK_PROCEDURES as readonly string[]).includes(procedure)) return 'signin'
  if ((SEARCH_PROCEDURES as readonly string[]).includes(procedure)) return 'search'
  return isReading(request) ? 'read' : 'write'
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

function callsOf(buckets: Map<Kind, number>): number {
  return [...buckets.values()].reduce((sum, calls) => sum + calls, 0)
}

/** The interface counts by token, everything else by session. An API key is public: all users of an app would share its limit. */
function credentialOf(request: FastifyRequest): string | undefined {
  const isInterface = /^\/api\/v\d\//.test(request.url)
  const secret = isInterface ? bearerOf(request) : request.session
  return secret === undefined ? undefined : digestOf(secret).toString('base64')
}

function limitersOf(rate: RateLimits[Kind] | undefined) {
  if (rate === undefined) return undefined
  const duration = rate.perMs / 1000
  return {
    byCredential: new RateLimiterMemory({ duration, points: rate.points }),
    byAddress: new RateLimiterMemory({ duration, points: rate.points * ADDRESS_FACTOR }),
  }
}

interface Caller {
  calls: number
  address: string
  credential: string | undefined
}

async function consume(
  limiters: ReturnType<typeof limitersOf>,
  { calls, address, credential }: Caller,
  reply: FastifyReply,
): Promise<void> {
  if (limiters === undefined) return
  try {
    await limiters.byAddress.consume(address, calls)
    if (credential !== undefined) await limiters.byCredential.consume(credential, calls)
  } catch (rejection) {
    throw rejection instanceof RateLimiterRes ? rateLimited(reply, rejection.msBeforeNext) : rejection
  }
}

async function countTries(
  { tries, calls, address }: { tries: SignInTries; calls: number; address: string },
  reply: FastifyReply,
): Promise<void> {
  const counted = await tries.countFrom(address, calls)
  if ('waitMs' in counted) throw rateLimited(reply, counted.waitMs)
}
