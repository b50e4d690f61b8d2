import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { type Answer, answerOnce } from '#server/modules/ledger/idempotency/answer-once.ts'
import { IdempotencyKey } from '#server/modules/ledger/idempotency/schema.ts'
import { failureBody, failureStatus } from '#server/rest/envelope.ts'

const KEY_HEADER = 'idempotency-key'
const REPLAYED_HEADER = 'idempotency-replayed'
const JSON_TYPE = 'application/json; charset=utf-8'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's name for this request, and the digest of the whole request. */
    named: { key: string; digest: Buffer } | undefined
  }
}

/**
 * Runs every write registered after this in one transaction that also builds its answer: a success answer means it is committed, and a
 * retry with the same Idempotency-Key gets the first answer. Handlers return their answer and send nothing themselves; they do nothing
 * outside the process, and use no other connection, before the commit.
 */
export function answerWrites(app: FastifyInstance, { answerKey }: { answerKey: Buffer }): void {
  app.decorateRequest('named')
  app.addHook('preValidation', async (request) => {
    if (isWrite(request.method)) request.named = nameOf(request)
  })
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().some(isWrite)) route.handler = writing(route, answerKey)
  })
}

export function isWrite(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}

function nameOf(request: FastifyRequest): FastifyRequest['named'] {
  const header = request.headers[KEY_HEADER]
  if (header === undefined) return undefined
  const key = IdempotencyKey.safeParse(header)
  if (!key.success) {
    const detail = key.error.issues.map(({ message }) => `Idempotency-Key: ${message}`)
    throw new DomainError('INVALID_PARAMETERS', { detail })
  }
  return { key: key.data, digest: digestOf(request) }
}

function writing({ handler }: RouteOptions, answerKey: Buffer): RouteHandlerMethod {
  return async function write(request, reply) {
    const { ctx, named } = request
    const act = async (ctx: Ctx): Promise<Answer> => {
      request.ctx = ctx
      return toAnswer(reply, await handler.call(this, request, reply))
    }
    const { isReplayed, ...answer } = await answerOnce(ctx, named && { ...named, cipherKey: answerKey }, {
      act,
      toFailure,
      isAtomic: request.routeOptions.config.isAtomic === true,
    })
    if (isReplayed) reply.header(REPLAYED_HEADER, 'true')
    return send(reply, answer)
  }
}

/** Fails here for an answer that does not match its schema, while the write can still be rolled back. */
function toAnswer(reply: FastifyReply, answered: unknown): Answer {
  const status = reply.statusCode
  const contentType = reply.getHeader('content-type')
  if (typeof answered === 'string' && typeof contentType === 'string') return { status, contentType, body: answered }
  return { status, contentType: JSON_TYPE, body: String(reply.serialize(answered)) }
}

function toFailure(error: DomainError): Answer {
  return { status: failureStatus(error), contentType: JSON_TYPE, body: JSON.stringify(failureBody(error)) }
}

function send(reply: FastifyReply, { status, contentType, body }: Answer): FastifyReply {
  return reply.code(status).type(contentType).send(body)
}

/** Two requests are the same if they use the same route and equivalent JSON, in any key order. */
function digestOf({ method, routeOptions, params, query, body }: FastifyRequest): Buffer {
  const sent = { method, route: routeOptions.url, params, query, body }
  return createHash('sha256')
    .update(JSON.stringify(inOrder(sent)))
    .digest()
}

/** Nesting depth is limited before a body is parsed. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => inOrder(item))
  const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1))
  return { entries: entries.map(([name, inner]) => [name, inOrder(inner)]) }
}
