import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import { DomainError, ERRORS, type ErrorCode } from '#server/core/errors.ts'
import { toDomainError } from '#server/core/to-domain-error.ts'
import { UNDECODABLE } from '#server/rest/query-string.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The code for invalid parameters of this route: 400000 or 500000 (docs/interface/errors.md#invalid-parameters). */
    invalid?: 'INVALID_REQUEST' | 'INVALID_PARAMETERS'
  }
}

/** When to retry after a temporary error. */
const RETRY_AFTER_SECONDS = 1

/** Every error is answered in the interface's error envelope: a code, a fixed text, and nothing internal. */
export function answerFailuresInEnvelope(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (typeof request.query === 'object' && request.query !== null && UNDECODABLE in request.query) {
      throw new DomainError(invalidOf(request), { detail: ['query string: cannot be decoded'] })
    }
  })
  app.setErrorHandler((error, request, reply) => {
    return answerFailure(reply, failureOf(error, request))
  })
  // Also over tRPC, and for every caller.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS)
  })
  app.setNotFoundHandler((_request, reply) => answerFailure(reply, new DomainError('NOT_FOUND')))
}

/** The error for a caller over the rate limit, with when to retry. */
export function rateLimited(reply: FastifyReply, waitMs: number): DomainError {
  reply.header('retry-after', Math.max(1, Math.ceil(waitMs / 1000)))
  return new DomainError('RATE_LIMITED')
}

export function answerFailure(reply: FastifyReply, error: DomainError): FastifyReply {
  if (error.code === 'IN_PROGRESS') reply.header('retry-after', RETRY_AFTER_SECONDS)
  return reply
    .code(failureStatus(error))
    .serializer(JSON.stringify)
    .header('content-type', 'application/json; charset=utf-8')
    .send(failureBody(error))
}

export function failureStatus({ code: failure }: DomainError): number {
  return ERRORS[failure].http
}

export function failureBody({ code: failure, details: facts }: DomainError) {
  const { wire, text } = ERRORS[failure]
  return { status: 'error', code: wire, message: text, ...(facts && { data: facts }) }
}

/** A body with thousands of invalid entries does not get thousands of lines in its answer. */
const SHOWN_PROBLEMS = 20

/** Maps a thrown value to the error for this request's caller; logs a bug on our side here, once. */
export function failureOf(error: unknown, request: FastifyRequest): DomainError {
  const failure = readFailure(error, request)
  // A caller who leaves takes along their address and the stream of the answer: nothing that an operator could mend.
  const hasLeft = request.raw.socket.remoteAddress === undefined
  if (failure.code === 'UNEXPECTED') {
    request.log[hasLeft ? 'debug' : 'error']({ err: failure.cause ?? failure }, 'unexpected')
  }
  if (failure.code === 'UNAVAILABLE') request.log.warn({ err: failure.cause ?? failure }, 'unavailable')
  return failure
}

function readFailure(error: unknown, request: FastifyRequest): DomainError {
  if (hasZodFastifySchemaValidationErrors(error)) {
    return new DomainError(invalidOf(request), { detail: error.validation.slice(0, SHOWN_PROBLEMS).map(describe) })
  }
  if (isResponseSerializationError(error)) return new DomainError('UNEXPECTED', undefined, { cause: error.cause })
  const errorCode = errorCodeOf(error)
  return errorCode ? new DomainError(errorCode) : toDomainError(error)
}

function invalidOf(request: FastifyRequest): ErrorCode {
  return request.routeOptions.config.invalid ?? 'INVALID_PARAMETERS'
}

function describe(problem: { instancePath: string; message?: string }): string {
  const path = problem.instancePath.split('/').filter(Boolean).join('.')
  return path === '' ? (problem.message ?? 'invalid') : `${path}: ${problem.message ?? 'invalid'}`
}

/** Errors of the framework, raised before a route runs. */
function errorCodeOf(error: unknown): ErrorCode | undefined {
  const statusCode = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (error instanceof DomainError || typeof statusCode !== 'number') return undefined
  if (statusCode === 413) return 'TOO_LARGE'
  if (statusCode === 404) return 'NOT_FOUND'
  if (statusCode === 503) return 'UNAVAILABLE'
  return statusCode >= 400 && statusCode < 500 ? 'INVALID_REQUEST' : undefined
}
