import type { Actor, Ctx } from '#server/core/ctx.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { DomainError } from '#server/core/errors.ts'
import { createLogger } from '#server/core/log.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { systemContext } from '#server/core/system-context.ts'

export const TEST_SECRET = 'a secret for tests, long enough to be one'

/** The context of one actor, at the desk by default. */
export function ctxOf(database: Database, actor: Actor, over: Partial<Ctx> = {}): Ctx {
  return { ...systemCtx(database), actor, source: 'desk', undoWindowMs: 10_000, ...over }
}

export function systemCtx(database: Database): Ctx {
  const home = { database, secret: TEST_SECRET, clock: { now: () => new Date() } }
  return systemContext(home, { name: 'test', log: createLogger('silent'), settings: { NETWORK_ID: 'docket' } })
}

export function asUser(userId: string): Actor {
  return { kind: 'user', userId, name: `Name of ${userId}` }
}

/** Admin context with these permissions; by default those of a network moderator that apply to the queue. */
export function asAdmin(permissions: Permission[] = ['MANAGE_POST_AND_COMMENT']): Actor {
  return { kind: 'admin', name: 'admin token test', tokenId: 'test', rank: 600, permissions: new Set(permissions) }
}

/** A clock that tests set; it doesn't advance by itself. */
export function clockAt(start: string): { now: () => Date; advance: (ms: number) => void } {
  let at = new Date(start).getTime()
  return {
    now: () => new Date(at),
    advance: (ms) => {
      at += ms
    },
  }
}

/** The code of an expected failure, or whatever else was thrown. */
export function failureOf(error: unknown): unknown {
  return error instanceof DomainError ? error.code : error
}
