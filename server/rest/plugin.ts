import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Ctx } from '#server/core/ctx.ts'
import type { KeyAllows } from '#server/modules/accounts/access/schema.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, and everything a domain function needs; set before a route of this interface runs. */
    ctx: Ctx
  }

  interface FastifyContextConfig {
    /** An API key that is allowed this is enough here; on other routes a key alone counts as no credentials. */
    takesKey?: KeyAllows
    /** Open to everyone; there is no `ctx` then. */
    isOpen?: boolean
    /** A GET that must run on the primary: others may run on a replica. */
    readsPrimary?: boolean
    /** It makes all its changes in one statement or in a transaction of its own, and builds its answer before. */
    isAtomic?: boolean
  }
}

/** One feature's routes: parse, call one domain function, answer. */
export type RestPlugin = FastifyPluginAsyncZod
