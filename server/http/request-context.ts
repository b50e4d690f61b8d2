import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Actor, type Ctx, UNDO_WINDOW_MS } from '#server/core/ctx.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { actorOfCredential, type CredentialId, findActor } from '#server/modules/accounts/access/find-actor.ts'
import type { StaffAuth } from '#server/modules/accounts/access/staff-auth.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import type { TranslationParts } from '#server/modules/integrations/translations/translation-parts.ts'
import type { WebhookSettings } from '#server/modules/integrations/webhooks/webhook-settings.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The token of a desk session whose cookie came with the request, with a valid signature. */
    session: string | undefined
  }
}

/** What a process shares across all its requests. */
export interface Parts {
  /** The context of the process's own work; that of a request is made from it. */
  system: Ctx
  staffAuth: StaffAuth
  webhooks: WebhookSettings
  notifications: NotificationParts
  translations: TranslationParts
}

/** The context of a REST call, from its bearer token or its API key; cookies are never read. */
export async function restContext({ system }: Parts, request: FastifyRequest): Promise<Ctx> {
  return { ...system, actor: await restActor(system.pool, request), source: 'rest', requestId: request.id }
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
    const actor = typeof apiKey === 'string' ? await findActor(pool, { kind: 'key', secret: apiKey }) : NOBODY
    if (actor.kind === 'key' && (actor.allows.has(takesKey) || token === undefined)) return actor
  }
  return token === undefined ? NOBODY : findActor(pool, { kind: 'token', secret: token })
}

/** The token of a request, trimmed. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([\w.~+/=-]+) *$/i.exec(headers.authorization ?? '')?.[1]
}

/** Checks the signature of the session cookie once for everything that asks for the session. */
export function readSessions(app: FastifyInstance, { staffAuth }: Parts): void {
  app.decorateRequest('session')
  app.addHook('onRequest', async (request) => {
    request.session = staffAuth.readCookie(request.cookies)
  })
}

/** The context of a call from the desk, by its session cookie. */
export async function deskContext({ system }: Parts, request: FastifyRequest): Promise<Ctx> {
  const { session: secret } = request
  const actor = secret === undefined ? NOBODY : await findActor(system.pool, { kind: 'session', secret })
  return { ...system, actor, source: 'desk', requestId: request.id, undoWindowMs: UNDO_WINDOW_MS }
}

/** The context of a call by a signed link, with what the credential that asked for it may do now. */
export async function linkContext(parts: Parts, request: FastifyRequest, credential: CredentialId): Promise<Ctx> {
  const actor = await actorOfCredential(parts.system.pool, credential)
  return { ...parts.system, actor, source: 'rest', requestId: request.id }
}

/** The desk context of the page that is being rendered: built once per page, however many calls it makes. */
export const pageContext = new AsyncLocalStorage<() => Promise<Ctx>>()
