import type { Db, Pool } from '#server/core/db.ts'
import type { Logger } from '#server/core/log.ts'
import type { Permission } from '#server/core/permissions.ts'

/**
 * Who acts. `user` is one network user with what their community and channel roles grant; `admin` is network-wide, as far as
 * the network role's permissions go; `key` is an API key alone, which may do what it was allowed and nothing else; `nobody`
 * carried no credentials.
 */
export type Actor =
  | { kind: 'nobody' }
  | { kind: 'user'; userId: string; name: string; staffId?: string; sessionId?: string; tokenId?: string }
  | {
      kind: 'admin'
      userId?: string
      name: string
      staffId?: string
      /** Of the desk; the two are never together. */
      sessionId?: string
      tokenId?: string
      /** That of the highest network role: one acts only on people of strictly lower rank. */
      rank: number
      permissions: ReadonlySet<Permission>
    }
  | { kind: 'key'; keyId: string; name: string; allows: ReadonlySet<string> }
  | { kind: 'system'; name: string }

/** Everything a domain function may use beside its input: no globals, no clock of its own. */
export interface Ctx {
  actor: Actor
  /** Prisma's client, or the transaction one stands in. */
  db: Db
  pool: Pool
  source: 'desk' | 'rest' | 'cli'
  requestId: string
  /** What the path of every record begins with. */
  networkId: string
  log: Logger
  now: () => Date
  /** What the rows are signed with that this call adds to the audit log: without it nobody can write one. */
  auditKey: Buffer
  /** How long a decision waits before anyone outside hears of it. 0 tells at once. */
  undoWindowMs: number
}

/** How long a decision made at the desk can be undone (docs/desk.md#undo). Over REST there is no undo. */
export const UNDO_WINDOW_MS = 10_000

/** The network user who acts; an admin token has none. */
export function actingUserId(ctx: Ctx): string | undefined {
  return 'userId' in ctx.actor ? ctx.actor.userId : undefined
}

/** The same call as this user would make it: finds what is theirs wherever it is. Whoever acts is still the caller. */
export function asOwner(ctx: Ctx, userId: string | undefined): Ctx {
  return userId === undefined ? ctx : { ...ctx, actor: { kind: 'user', userId, name: userId } }
}

export function actorName(ctx: Ctx): string {
  return 'name' in ctx.actor ? ctx.actor.name : 'nobody'
}
