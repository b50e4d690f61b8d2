import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DomainError, ERRORS, type ErrorCode } from '#server/core/errors.ts'

/** The interface allows ids of 900 characters in a path and twenty of them in a query, percent-encoded. */
export const PARAMETER_LENGTH = 16_384
const ADDRESS_BYTES = 180_224
/** All header fields together, including their names. */
const HEADER_BYTES = 16_384
const HEADER_COUNT = 100

/** How long a request may take to arrive, in milliseconds. */
export interface ArrivalTimes {
  headersMs: number
  bodyMs: number
  checkEveryMs: number
}

const ARRIVAL_TIMES: ArrivalTimes = { headersMs: 10_000, bodyMs: 30_000, checkEveryMs: 5_000 }

/** What the HTTP parser rejects itself: URL and headers that are too long together, and incomplete requests. */
export function parserLimits({ headersMs, bodyMs, checkEveryMs }: ArrivalTimes = ARRIVAL_TIMES) {
  return {
    requestTimeout: bodyMs,
    http: {
      maxHeaderSize: ADDRESS_BYTES + HEADER_BYTES,
      headersTimeout: Math.min(headersMs, bodyMs),
      connectionsCheckingInterval: checkEveryMs,
    },
  }
}

/**
 * Rejects too many or too long header fields before reading them. The parser can't distinguish them from the URL, which may be much longer.
 */
export function limitHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    if (rawHeaders.length > 2 * HEADER_COUNT) throw new DomainError('HEADERS_TOO_LARGE')
    let bytes = 0
    for (const text of rawHeaders) bytes += text.length
    if (bytes > HEADER_BYTES) throw new DomainError('HEADERS_TOO_LARGE')
  })
}

const PARSER_FAILURES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** How much a client may still send before the connection is cut; if closed at once, it would lose the answer. */
const LINGER_MS = 1_000

/** Answers, in the envelope, what never became a request. Cuts off a request that stopped arriving after it was answered. */
export function rejectUnreadable(error: Error & { code?: string }, socket: Socket): void {
  const failure = PARSER_FAILURES[error.code ?? ''] ?? 'INVALID_REQUEST'
  if (!socket.writable || (failure === 'REQUEST_TIMEOUT' && socket.bytesWritten > 0)) {
    socket.destroy()
    return
  }
  const { http, wire, text } = ERRORS[failure]
  const body = JSON.stringify({ status: 'error', code: wire, message: text })
  socket.end(
    [
      `HTTP/1.1 ${http} ${REASONS[http] ?? 'Bad Request'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

const REASONS: Record<number, string> = {
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
}
