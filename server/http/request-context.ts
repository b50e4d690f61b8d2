import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import { type Actor, type Ctx, UNDO_WINDOW_MS } from '#server/core/ctx.ts'
import type { Pool } from '#server/core/db-types.ts'
import { actorOfKey, actorOfSession, actorOfToken } from '#server/modules/accounts/access/find-actor.ts'
import type { StaffAuth } from '#server/modules/accounts/access/staff-auth.ts'
import type { WebhookSettings } from '#server/modules/integrations/webhooks/webhook-settings.ts'

/** What a process shares across all its requests. */
export interface Parts {
  /** The context of the process's own work; that of a request is made from it. */
  system: Ctx
  staffAuth: StaffAuth
  webhooks: WebhookSettings
}

/** The context of a REST call, from its bearer token or its API key; cookies are never read. */
export async function restContext(parts: Parts, request: FastifyRequest): Promise<Ctx> {
  const actor = await restActor(parts.system.pool, request)
  return { ...parts.system, actor, source: 'rest', requestId: request.id }
}

const NOBODY: Actor = { kind: 'nobody' }

/**
 * A key only counts on routes that accept one. There it takes precedence over a token, which may be the expired one that its caller is
 * about to renew, unless the key is not allowed this.
 */
async function restActor(pool: Pool, request: FastifyRequest): Promise<Actor> {
  const token = bearerOf(request)
  const { takesKey } = request.routeOptions.config
  if (takesKey !== undefined) {
    const apiKey = request.headers[takesKey === 'server' ? 'x-server-key' : 'x-api-key']
    const actor = typeof apiKey === 'string' ? await actorOfKey(pool, apiKey) : NOBODY
    if (actor.kind === 'key' && (actor.allows.has(takesKey) || token === undefined)) return actor
  }
  return token === undefined ? NOBODY : actorOfToken(pool, token)
}

/** The token of a request, trimmed. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([\w.~+/=-]+) *$/i.exec(headers.authorization ?? '')?.[1]
}

/** The context of a call from the desk, by its session cookie. */
export async function deskContext(parts: Parts, request: FastifyRequest): Promise<Ctx> {
  const session = parts.staffAuth.readCookie(request.cookies)
  const actor: Actor = session === undefined ? NOBODY : await actorOfSession(parts.system.pool, session)
  return { ...parts.system, actor, source: 'desk', requestId: request.id, undoWindowMs: UNDO_WINDOW_MS }
}

/** The desk context of the page that is being rendered: built once per page, however many calls it makes. */
export const pageContext = new AsyncLocalStorage<() => Promise<Ctx>>()
