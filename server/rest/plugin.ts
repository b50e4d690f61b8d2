import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Ctx } from '#server/core/ctx.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, and everything a domain function needs; set before a route of this interface is reached. */
    ctx: Ctx
  }

  interface FastifyContextConfig {
    /** An API key that was allowed this is credentials enough here; everywhere else a key alone is nobody. */
    takesKey?: 'sessions' | 'roles' | 'server'
    /** Answers anybody; there is no `ctx` then. */
    isOpen?: boolean
  }
}

/** One feature's routes: parse, call one domain function, answer. */
export type RestPlugin = FastifyPluginAsyncZod
