import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { holds } from '#server/core/permissions.ts'

/**
 * Whether the caller may see `channel c`, as an SQL condition: it is public, they are a member, or they manage the whole network. A
 * conversation is visible only to its members, whatever its other fields say.
 */
export function mayKnowChannel(ctx: Ctx): Sql {
  if (holds(ctx, 'VIEW_CHANNELS')) return sql`true`
  if (ctx.actor.kind !== 'user' && ctx.actor.kind !== 'admin') return sql`false`
  return sql`((c.is_public and c.type <> 'conversation') or ${isMemberOfChannel(ctx)})`
}

/**
 * Whether the caller may read the messages of `channel c`, as an SQL condition: its members, and across the network those who see every
 * channel; but conversations only to their members (docs/interface/permissions.md#conversations).
 */
export function mayReadChannel(ctx: Ctx): Sql {
  const isMember = isMemberOfChannel(ctx)
  return holds(ctx, 'VIEW_CHANNELS') ? sql`(c.type <> 'conversation' or ${isMember})` : isMember
}

/** Whether the caller is a member of `channel c`, as an SQL condition. */
export function isMemberOfChannel(ctx: Ctx): Sql {
  const userId = actingUserId(ctx)
  if (userId === undefined) return sql`false`
  return sql`exists (
    select from channel_user own
    where own.channel_id = c.channel_id and own.user_id = ${userId} and own.membership = 'member' and not own.is_deleted)`
}
