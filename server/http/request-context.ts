import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Ctx, UNDO_WINDOW_MS } from '#server/core/ctx.ts'
import { actorOfCredential, type CredentialId } from '#server/modules/accounts/access/find-actor.ts'
import type { KnownActor, RememberedActors } from '#server/modules/accounts/access/remembered-actors.ts'
import type { StaffAuth } from '#server/modules/accounts/access/staff-auth.ts'
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
  actors: RememberedActors
  staffAuth: StaffAuth
  webhooks: WebhookSettings
}

/** How the actor of a request is found: looked up, or recalled for a call that checks it in its own statements. */
export type Finding = keyof RememberedActors

/** The context of a REST call, from its bearer token or its API key; cookies are never read. */
export async function restContext(parts: Parts, request: FastifyRequest, how: Finding): Promise<Ctx> {
  const known = await restActor(parts.actors, request, how)
  return { ...parts.system, ...known, source: 'rest', requestId: request.id }
}

const NOBODY: KnownActor = { actor: { kind: 'nobody' }, ifActorHolds: undefined }

/**
 * A key only counts on routes that accept one. There it takes precedence over a token, which may be the expired one that its caller is
 * about to renew, unless the key is not allowed this.
 */
async function restActor(actors: RememberedActors, request: FastifyRequest, how: Finding): Promise<KnownActor> {
  const token = bearerOf(request)
  const { takesKey } = request.routeOptions.config
  if (takesKey !== undefined) {
    const apiKey = request.headers[takesKey === 'server' ? 'x-server-key' : 'x-api-key']
    const known = typeof apiKey === 'string' ? await actors.find({ kind: 'key', secret: apiKey }) : NOBODY
    const { actor } = known
    if (actor.kind === 'key' && (actor.allows.has(takesKey) || token === undefined)) return known
  }
  return token === undefined ? NOBODY : actors[how]({ kind: 'token', secret: token })
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
export async function deskContext(parts: Parts, request: FastifyRequest, how: Finding): Promise<Ctx> {
  const { session: secret } = request
  const known = secret === undefined ? NOBODY : await parts.actors[how]({ kind: 'session', secret })
  return { ...parts.system, ...known, source: 'desk', requestId: request.id, undoWindowMs: UNDO_WINDOW_MS }
}

/** The context of a call by a signed link, with what the credential that asked for it may do now. */
export async function linkContext(parts: Parts, request: FastifyRequest, credential: CredentialId): Promise<Ctx> {
  const actor = await actorOfCredential(parts.system.pool, credential)
  return { ...parts.system, actor, source: 'rest', requestId: request.id }
}

/** The desk context of the page that is being rendered: built once per page, however many calls it makes. */
export const pageContext = new AsyncLocalStorage<() => Promise<Ctx>>()
