import { resolve } from 'node:path'
import assets from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Scripts, styles and typefaces of the built pages: named by content hash, so cached for good; compressed at build time. */
export async function assetRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isQuiet: true, isUnlimited: true }
  })
  await app.register(assets, {
    root: resolve('.next/static'),
    prefix: '/_next/static/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
    decorateReply: false,
  })
}
