/** Every error a request can have (docs/interface/errors.md#codes). Only transports translate these codes. */
export const ERRORS = {
  INVALID_REQUEST: { wire: 400000, http: 400, trpc: 'BAD_REQUEST', text: 'Bad Request.' },
  UNAUTHORIZED: { wire: 400100, http: 401, trpc: 'UNAUTHORIZED', text: 'Unauthorized' },
  FORBIDDEN: { wire: 400300, http: 403, trpc: 'FORBIDDEN', text: 'Forbidden error.' },
  NOT_CHANNEL_MEMBER: { wire: 400301, http: 403, trpc: 'FORBIDDEN', text: 'User is not a member of a channel' },
  MUTED: { wire: 400302, http: 403, trpc: 'FORBIDDEN', text: 'User is muted from the channel.' },
  CHANNEL_MUTED: { wire: 400303, http: 403, trpc: 'FORBIDDEN', text: 'Channel is muted.' },
  BANNED: { wire: 400304, http: 403, trpc: 'FORBIDDEN', text: 'User is banned from a channel' },
  CANNOT_BAN: { wire: 400306, http: 403, trpc: 'FORBIDDEN', text: 'Some users cannot be banned' },
  BLOCKED_WORD: { wire: 400308, http: 403, trpc: 'FORBIDDEN', text: 'Data contain blacklist word' },
  LINK_NOT_ALLOWED: { wire: 400309, http: 403, trpc: 'FORBIDDEN', text: 'Data contain link that is not in whitelist' },
  GLOBALLY_BANNED: { wire: 400312, http: 403, trpc: 'FORBIDDEN', text: 'User is global banned.' },
  ALREADY_EXISTS: { wire: 400315, http: 403, trpc: 'FORBIDDEN', text: 'Data already exists' },
  NOT_BANNED: { wire: 400316, http: 403, trpc: 'FORBIDDEN', text: 'User is unbanned from a channel' },
  RATE_LIMITED: { wire: 400311, http: 429, trpc: 'TOO_MANY_REQUESTS', text: 'RateLimit Exceed.' },
  NOT_FOUND: { wire: 400400, http: 404, trpc: 'NOT_FOUND', text: 'Resource Not Found.' },
  CHANGED: { wire: 400409, http: 409, trpc: 'CONFLICT', text: 'The item has changed.' },
  IN_PROGRESS: {
    wire: 500000,
    http: 409,
    trpc: 'CONFLICT',
    text: 'A request with this Idempotency-Key is still being processed.',
  },
  INVALID_PARAMETERS: { wire: 500000, http: 422, trpc: 'UNPROCESSABLE_CONTENT', text: 'Parameters validation error' },
  HEADERS_TOO_LARGE: { wire: 400000, http: 431, trpc: 'BAD_REQUEST', text: 'Bad Request.' },
  REQUEST_TIMEOUT: { wire: 400000, http: 408, trpc: 'TIMEOUT', text: 'Bad Request.' },
  TOO_LARGE: { wire: 500000, http: 413, trpc: 'PAYLOAD_TOO_LARGE', text: 'Payload too large.' },
  UNAVAILABLE: { wire: 500000, http: 503, trpc: 'SERVICE_UNAVAILABLE', text: 'Service unavailable.' },
  UNEXPECTED: { wire: 500000, http: 500, trpc: 'INTERNAL_SERVER_ERROR', text: 'Unexpected error' },
} as const satisfies Record<string, { wire: number; http: number; trpc: string; text: string }>

export type ErrorCode = keyof typeof ERRORS

/** Public details of an error: readable problems, or facts about the item that changed. */
export type ErrorDetails = { detail: string[] } | Record<string, string | number>

export class DomainError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined

  constructor(code: ErrorCode, details?: ErrorDetails, options?: ErrorOptions) {
    super(ERRORS[code].text, options)
    this.code = code
    this.details = details
  }
}
