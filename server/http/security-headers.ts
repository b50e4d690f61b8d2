import type { FastifyInstance } from 'fastify'

/** Sent with every answer; a page adds its own content security policy with a nonce. */
export function securityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      ...(request.protocol === 'https' && { 'strict-transport-security': 'max-age=31536000' }),
    })
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
}

interface PolicyInput {
  nonce: string
  isProduction: boolean
  /** Where pictures and films may load from, once a moderator asks to see one. */
  mediaOrigins: string[]
}

/** What a page may load: its own files, and scripts and styles with this answer's nonce. */
export function pagePolicy({ nonce, isProduction, mediaOrigins }: PolicyInput): string {
  const media = mediaOrigins.map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isProduction ? '' : " 'unsafe-eval'"}`,
    // React writes style attributes; React Aria uses them to position its overlays.
    isProduction ? `style-src 'self' 'nonce-${nonce}'` : "style-src 'self' 'unsafe-inline'",
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data:${media}`,
    `media-src 'self'${media}`,
    "font-src 'self'",
    `connect-src 'self'${isProduction ? '' : ' ws:'}`,
    // For push.
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
