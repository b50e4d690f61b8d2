import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import type { Database } from '#server/core/db.ts'
import type { Logger } from '#server/core/log.ts'
import { actorOfSession, actorOfToken } from '#server/modules/access/find-actor.ts'
import type { StaffAuth } from '#server/modules/access/staff-auth.ts'

/** UI.md, Queue: how long a decision made at the desk can be taken back. Over REST nothing waits. */
const UNDO_WINDOW_MS = 10_000

/** What a process has for all its requests. */
export interface Parts {
  database: Database
  log: Logger
  staffAuth: StaffAuth
  now: () => Date
}

/** The context of a call over REST, by its bearer token; cookies are never read. */
export async function restContext(parts: Parts, request: FastifyRequest): Promise<Ctx> {
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const actor: Actor = token === undefined ? { kind: 'nobody' } : await actorOfToken(parts.database.pool, token)
  return { ...common(parts, request), actor, door: 'rest', undoWindowMs: 0 }
}

/** The context of a call from the desk, by its session cookie. */
export async function deskContext(parts: Parts, request: FastifyRequest): Promise<Ctx> {
  const session = parts.staffAuth.readCookie(request.cookies)
  const actor: Actor = session === undefined ? { kind: 'nobody' } : await actorOfSession(parts.database.pool, session)
  return { ...common(parts, request), actor, door: 'desk', undoWindowMs: UNDO_WINDOW_MS }
}

function common({ database, log, now }: Parts, request: FastifyRequest) {
  return { db: database.prisma, pool: database.pool, requestId: request.id, log, now }
}

/** The desk context of the page that is being rendered: asked for once a page, however many calls it makes. */
export const pageContext = new AsyncLocalStorage<() => Promise<Ctx>>()
