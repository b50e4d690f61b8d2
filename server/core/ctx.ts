import type { Db, Pool, Replicas } from '#server/core/database/db-types.ts'
import type { Logger } from '#server/core/log.ts'
import type { Permission } from '#server/core/permission-names.ts'

/**
 * Who makes the call. `user` is one network user with the permissions of their community and channel roles; `admin` is network-wide, within
 * the network role's permissions; `key` is an API key alone, limited to what it was allowed; `nobody` has no credentials.
 */
export type Actor =
  | { kind: 'nobody' }
  | { kind: 'user'; userId: string; name: string; staffId?: string; sessionId?: string; tokenId?: string }
  | {
      kind: 'admin'
      userId?: string
      name: string
      staffId?: string
      /** For staff at the desk; the two are never set together. */
      sessionId?: string
      tokenId?: string
      /** The rank of the highest network role: a caller can only act on people of strictly lower rank. */
      rank: number
      permissions: ReadonlySet<Permission>
    }
  | { kind: 'key'; keyId: string; name: string; allows: ReadonlySet<string> }
  | { kind: 'system'; name: string }

/** Everything a domain function may use besides its input: no globals, no clock of its own. */
export interface Ctx {
  actor: Actor
  /** The pool, or the connection of the current transaction. */
  db: Db
  pool: Pool
  /** Where reads may run as well as on the primary; undefined without replicas. */
  replicas?: Replicas | undefined
  source: 'desk' | 'rest' | 'cli'
  requestId: string
  /** The prefix of the path of every record. */
  networkId: string
  log: Logger
  now: () => Date
  /** Signs the rows that this call adds to the audit log: without it no rows can be written. */
  auditKey: Buffer
  /** How long a decision is delayed before its event is published. 0 publishes at once. */
  undoWindowMs: number
}

/** How long a decision made at the desk can be undone (docs/desk.md#undo). Over REST there is no undo. */
export const UNDO_WINDOW_MS = 10_000

/** The network user who makes the call; undefined for an admin token. */
export function actingUserId(ctx: Ctx): string | undefined {
  return 'userId' in ctx.actor ? ctx.actor.userId : undefined
}

/** A context in which this user calls, to find their own records everywhere. What is logged keeps the caller as its actor. */
export function asOwner(ctx: Ctx, userId: string | undefined): Ctx {
  return userId === undefined ? ctx : { ...ctx, actor: { kind: 'user', userId, name: userId } }
}

export function actorName(ctx: Ctx): string {
  return 'name' in ctx.actor ? ctx.actor.name : 'nobody'
}
