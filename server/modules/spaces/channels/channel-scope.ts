import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'
import { holds } from '#server/core/permissions.ts'

/**
 * Whether the caller may know of `channel c`, as an SQL condition: it is open to all, they are in it, or they look after the
 * whole network. A conversation is its members' own, whatever else it says of itself.
 */
export function mayKnowChannel(ctx: Ctx): Sql {
  if (holds(ctx, 'VIEW_CHANNELS')) return Prisma.sql`true`
  if (ctx.actor.kind !== 'user' && ctx.actor.kind !== 'admin') return Prisma.sql`false`
  return Prisma.sql`((c.is_public and c.type <> 'conversation') or ${isMemberOfChannel(ctx)})`
}

/**
 * Whether the caller reads the messages of `channel c`, as an SQL condition: its members, and over the whole network those who
 * see every channel; but conversations stay with their members (docs/interface/permissions.md#conversations).
 */
export function mayReadChannel(ctx: Ctx): Sql {
  const isMember = isMemberOfChannel(ctx)
  return holds(ctx, 'VIEW_CHANNELS') ? Prisma.sql`(c.type <> 'conversation' or ${isMember})` : isMember
}

/** Whether the caller is a member of `channel c`, as an SQL condition. */
export function isMemberOfChannel(ctx: Ctx): Sql {
  const userId = actingUserId(ctx)
  if (userId === undefined) return Prisma.sql`false`
  return Prisma.sql`exists (
    select from channel_user own
    where own.channel_id = c.channel_id and own.user_id = ${userId} and own.membership = 'member' and not own.is_deleted)`
}
