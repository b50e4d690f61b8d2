import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'

/** Whether the caller is a member of `community k`, as an SQL condition. */
export function isJoined(ctx: Ctx): Sql {
  return standsIn(ctx, Prisma.sql`mine.membership = 'member'`)
}

/**
 * Whether the caller may know of `community k`, as an SQL condition: public ones and those that may be found are open to all,
 * others to their members and to those banned from them.
 */
export function isVisible(ctx: Ctx): Sql {
  if (ctx.actor.kind === 'admin') return Prisma.sql`true`
  return Prisma.sql`(k.is_public or k.is_discoverable or ${standsIn(ctx, Prisma.sql`mine.membership in ('member', 'banned')`)})`
}

/** Whether the caller may see who and what is in `community k`, as an SQL condition. */
export function isOpen(ctx: Ctx): Sql {
  return ctx.actor.kind === 'admin' ? Prisma.sql`true` : Prisma.sql`(k.is_public or ${isJoined(ctx)})`
}

function standsIn(ctx: Ctx, as: Sql): Sql {
  const userId = actingUserId(ctx)
  if (userId === undefined) return Prisma.sql`false`
  return Prisma.sql`exists (
    select from community_user mine
    where mine.community_id = k.community_id and mine.user_id = ${userId} and ${as} and not mine.is_deleted)`
}
