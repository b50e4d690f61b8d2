import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What other origins may call: the interface, which reads no cookies, but none of the desk's own routes. */
const OPEN_PATH = /^\/api\/(v\d+\/|openapi\.json)/
const PREFLIGHT_SECONDS = '600'

/** Lets pages of these origins (or of all: `*`) call the interface with a token. Without origins no CORS headers are sent. */
export function allowOrigins(app: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    if (!OPEN_PATH.test(request.url)) return
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) return
    reply.headers({
      'access-control-allow-origin': origins.includes('*') ? '*' : origin,
      'access-control-expose-headers': 'idempotency-replayed, retry-after, x-request-id',
    })
    if (isPreflight(request)) answerPreflight(request, reply)
  })
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Any request header is allowed: only a token that the page holds itself grants access here. */
function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): void {
  reply
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        headers['access-control-request-headers'] ?? 'authorization, content-type, x-api-key',
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
    .code(204)
    .send()
}
