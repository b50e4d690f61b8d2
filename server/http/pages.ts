import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import next from 'next'
import type { Ctx } from '#server/core/ctx.ts'
import type { Settings } from '#server/core/env.ts'
import { DomainError } from '#server/core/errors.ts'
import { pageContext } from '#server/http/request-context.ts'
import { pagePolicy } from '#server/http/security-headers.ts'

interface PageOptions {
  isProduction: boolean
  findContext: (request: FastifyRequest) => Promise<Ctx>
  settings: Settings
}

/** Every path outside the interface goes to Next, which only renders. */
export async function pageRoutes(
  app: FastifyInstance,
  { isProduction, findContext, settings }: PageOptions,
): Promise<void> {
  const web = next({
    dev: !isProduction,
    dir: process.cwd(),
    // In production nothing is upgraded: Next would keep the sockets of all who ask for it.
    httpServer: isProduction ? createServer() : app.server,
    hostname: settings.HOST,
    port: settings.PORT,
  })
  await web.prepare()
  const draw = web.getRequestHandler()
  app.addHook('onClose', () => web.close())

  // The body stays unread: Next reads it itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { isQuiet: true, invalid: 'INVALID_REQUEST' },
    handler: (request, reply) =>
      drawPage({ request, reply, draw, isProduction, findContext, mediaOrigins: settings.MEDIA_ORIGINS }),
  })
}

interface Drawing {
  request: FastifyRequest
  reply: FastifyReply
  draw: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  isProduction: boolean
  findContext: (request: FastifyRequest) => Promise<Ctx>
  mediaOrigins: string[]
}

function isPlainPath(address: string): boolean {
  const path = address.split(/[?#]/, 1)[0] ?? ''
  return path.startsWith('/') && !/\/\/|\\|^\/%(2f|5c)/i.test(path)
}

async function drawPage({ request, reply, draw, isProduction, findContext, mediaOrigins }: Drawing): Promise<void> {
  // Next would redirect to a normalised address, which a browser may read as another host.
  if (!isPlainPath(request.url)) throw new DomainError('NOT_FOUND')
  const nonce = randomBytes(16).toString('base64')
  const policy = pagePolicy({ nonce, isProduction, mediaOrigins })
  // Next reads the nonce from the request; values a caller sends under these names are dropped.
  request.raw.headers['content-security-policy'] = policy
  request.raw.headers['x-docket-nonce'] = nonce

  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.setHeader('content-security-policy', policy)

  let context: Promise<Ctx> | undefined
  const contextOnce = () => (context ??= findContext(request))
  await pageContext.run(contextOnce, () => draw(request.raw, reply.raw))
}
