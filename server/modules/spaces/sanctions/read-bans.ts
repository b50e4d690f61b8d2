import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { holds, mayInChannel, mayInCommunity } from '#server/core/permissions.ts'
import type { BanInForce, BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { spaceOf } from '#server/modules/spaces/sanctions/space-of.ts'

const BANS_SHOWN = 20

interface Row {
  scope: BanSpace['scope']
  spaceId: string
  displayName: string
  by: string | null
  at: Date | null
  endsAt: Date | null
  reason: string | null
  mayLift: boolean
}

/**
 * The bans in force on a person, the widest first: of the network; of communities that everyone may see or the caller reviews, with who and
 * why only for the latter; of channels where the caller may ban. Uses ban_in_force.
 */
export async function readBans(ctx: Ctx, userId: string): Promise<BanInForce[]> {
  const community = sql`k.community_id`
  const rows = await query<Row>(
    ctx,
    sql`
    with banned as (
      select 'network'::ban_scope as scope, '' as space_id, '' as name, true as is_known, ${holds(ctx, 'BAN_USER')} as may_lift
      from network_user where user_id = ${userId} and is_global_ban
      union all
      select 'community', k.community_id, coalesce(nullif(k.display_name, ''), k.community_id), m.reviews, m.bans
      from community_user cu join community k on k.community_id = cu.community_id
      cross join lateral (
        select ${mayInCommunity(ctx, 'reviewComments', community)} or ${mayInCommunity(ctx, 'reviewPosts', community)} as reviews,
          ${mayInCommunity(ctx, 'banMembers', community)} as bans) m
      where cu.user_id = ${userId} and cu.membership = 'banned' and not k.is_deleted and (k.is_public or m.reviews)
      union all
      select 'channel', c.channel_id, coalesce(nullif(c.display_name, ''), c.channel_id), true, true
      from channel_user cu join channel c on c.channel_id = cu.channel_id
      where cu.user_id = ${userId} and cu.membership = 'banned' and not c.is_deleted
        and ${mayInChannel(ctx, 'banMembers', sql`c.channel_id`)})
    select p.scope, p.space_id, p.name as display_name, p.may_lift, b.ends_at,
      case when p.is_known then coalesce(banner.display_name, b.banned_by) end as by,
      case when p.is_known then b.created_at end as at, case when p.is_known then b.reason end as reason
    from banned p
    left join ban b on b.user_id = ${userId} and b.scope = p.scope and coalesce(b.community_id, b.channel_id, '') = p.space_id
      and b.lifted_at is null
    left join network_user banner on banner.user_id = b.banned_by
    order by p.scope = 'network' desc, p.scope = 'community' desc, p.name, p.space_id limit ${BANS_SHOWN}`,
  )
  return rows.map(({ scope, spaceId, by, at, endsAt, reason, ...ban }) => ({
    ...ban,
    space: spaceOf(scope, spaceId),
    ...(by !== null && { by }),
    ...(at && { at: at.toISOString() }),
    ...(endsAt && { endsAt: endsAt.toISOString() }),
    ...(reason !== null && { reason }),
  }))
}
