import { randomUUID } from 'node:crypto'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import type { Database } from '#server/core/db.ts'
import { createLogger } from '#server/core/log.ts'
import type { Permission } from '#server/core/permissions.ts'
import { keyFor } from '#server/core/secret.ts'

export const TEST_SECRET = 'a secret for tests, long enough to be one'

/** The context of one actor, at the desk by default. */
export function ctxOf({ prisma, pool }: Database, actor: Actor, over: Partial<Ctx> = {}): Ctx {
  return {
    actor,
    db: prisma,
    pool,
    source: 'desk',
    requestId: randomUUID(),
    networkId: 'docket',
    log: createLogger('silent'),
    auditKey: keyFor(TEST_SECRET, 'audit'),
    now: () => new Date(),
    undoWindowMs: 10_000,
    ...over,
  }
}

export function systemCtx(database: Database): Ctx {
  return ctxOf(database, { kind: 'system', name: 'test' }, { source: 'cli', undoWindowMs: 0 })
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
