import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { DomainError } from '#server/core/errors.ts'
import { ADDRESS_HEADER, REQUEST_ID_HEADER } from '#server/modules/accounts/access/staff-auth-options.ts'

export interface Asked {
  /** Without one it is a GET. */
  body?: object
  cookies?: (name: string) => boolean
}

/** The request as the sign-in library reads it: these cookies only, and the address that proxies vouch for. */
export function toLibraryRequest(request: FastifyRequest, { body, cookies = () => true }: Asked): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    [ADDRESS_HEADER]: request.ip,
    [REQUEST_ID_HEADER]: request.id,
  })
  for (const name of ['origin', 'user-agent']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const passed = (request.headers.cookie ?? '').split(/; */).filter((cookie) => cookies(cookie.split('=', 1)[0] ?? ''))
  headers.set('cookie', passed.join('; '))
  const url = `${request.protocol}://${request.host}${request.url}`
  if (!URL.canParse(url)) throw new DomainError('INVALID_REQUEST', { detail: ['host: not valid'] })
  return new Request(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
}

/** Someone who may not sign in gets no reason; someone signed in learns that their session is too old to add a sign-in method. */
export function failureOf({ status }: Response): DomainError {
  if (status === 403) return new DomainError('FORBIDDEN')
  return new DomainError(status >= 500 ? 'UNEXPECTED' : 'UNAUTHORIZED')
}

export function passCookies(answer: Response, reply: FastifyReply): void {
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
}

export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new DomainError('INVALID_PARAMETERS', {
    detail: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
  })
}
