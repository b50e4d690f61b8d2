import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { ownRank, type Space } from '#server/core/permissions.ts'
import type { Authority } from '#server/modules/accounts/roles/assert-may-grant.ts'

/** What the caller may grant in a space: what their network roles grant in admin context, and what their roles in the space grant. */
export async function ownAuthority(ctx: Ctx, space: Space): Promise<Authority> {
  const held = await queryOne<{ rank: number; permissions: string[] }>(
    ctx,
    sql`
    select ${ownRank(ctx, space)} as rank,
      role_permissions(coalesce((select own.roles from ${ownMembership(ctx, space)}), '{}')) as permissions`,
  )
  const everywhere = ctx.actor.kind === 'admin' ? ctx.actor.permissions : []
  return { rank: held?.rank ?? 0, permissions: new Set([...everywhere, ...(held?.permissions ?? [])]) }
}

/** The caller's membership `own` of a space, to select from; no row where they are not a member. */
export function ownMembership(ctx: Ctx, space: Space): Sql {
  const isOwn = sql`own.user_id = ${actingUserId(ctx) ?? null} and own.membership = 'member' and not own.is_deleted`
  return 'communityId' in space
    ? sql`community_user own where own.community_id = ${space.communityId} and ${isOwn}`
    : sql`channel_user own where own.channel_id = ${space.channelId} and ${isOwn}`
}
