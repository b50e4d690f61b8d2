import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { ApiDocument } from '#server/rest/docs/api-document.ts'
import { drawDocs } from '#server/rest/docs/draw-docs.ts'

/** The human-readable API docs, in one answer that loads nothing else: its style and script carry the answer's nonce. */
export async function docsRoute(app: FastifyInstance, readDocument: () => ApiDocument): Promise<void> {
  const [tokens, style, script] = await Promise.all([
    readFile(new URL('../../../app/tokens.css', import.meta.url), 'utf8'),
    readFile(new URL('./docs.css', import.meta.url), 'utf8'),
    readFile(new URL('./try-request.mjs', import.meta.url), 'utf8'),
  ])
  let draw: ((nonce: string) => string) | undefined

  app.get('/api/docs', { schema: { hide: true }, config: { isOpen: true } }, async (_request, reply) => {
    draw ??= drawDocs(readDocument(), { style: `${plainCss(tokens)}\n${style}`, script })
    const nonce = randomBytes(16).toString('base64')
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policyOf(nonce))
      .header('referrer-policy', 'no-referrer')
      .send(draw(nonce))
  })
}

/** The design tokens without their Tailwind directives. */
function plainCss(tokens: string): string {
  return tokens.slice(0, tokens.indexOf('@theme'))
}

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
