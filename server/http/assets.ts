import { resolve } from 'node:path'
import assets from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Headers that only have an effect on pages, and the id of a request that isn't logged. A page has many scripts, and each would repeat them. */
const NOT_SENT = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
  'x-request-id',
]

/** Scripts, styles and typefaces of the built pages: named by content hash, so cached for good; compressed at build time. */
export async function assetRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isQuiet: true, isUnlimited: true }
  })
  app.addHook('onSend', async (_request, reply) => {
    for (const name of NOT_SENT) reply.removeHeader(name)
  })
  await app.register(assets, {
    root: resolve('.next/static'),
    prefix: '/_next/static/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
    // Named by content: nobody asks whether it has changed.
    etag: false,
    lastModified: false,
    acceptRanges: false,
    decorateReply: false,
  })
}
