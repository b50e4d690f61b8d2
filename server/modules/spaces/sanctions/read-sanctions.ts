import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { holds, mayInChannel, mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { mayMute } from '#server/modules/spaces/sanctions/may-mute.ts'
import type { BanInForce, BanSpace, MuteInForce } from '#server/modules/spaces/sanctions/schema.ts'
import { spaceOf } from '#server/modules/spaces/sanctions/space-of.ts'

const SHOWN = 20

interface Row {
  isMute: boolean
  scope: BanSpace['scope']
  spaceId: string
  displayName: string
  by: string | null
  at: Date | null
  endsAt: Date | null
  reason: string | null
  policyId: string | null
  mayLift: boolean
}

export interface SanctionsInForce {
  bans: BanInForce[]
  /** Absent if there are none, as is usual. */
  mutes?: MuteInForce[]
}

/**
 * The bans and mutes in force on a person, the widest first. Bans: of the network; of communities that everyone may see or the caller reviews,
 * with who and why only for the latter; of channels where the caller may ban. Mutes: of communities that the caller reviews, and of channels
 * where the caller may mute. Uses ban_in_force and mute_user_id_created_at_idx.
 */
export async function readSanctions(ctx: Ctx, userId: string): Promise<SanctionsInForce> {
  const [communityId, channelId] = [sql`k.community_id`, sql`c.channel_id`]
  const person = sql`${userId}`
  const isMuted = sql`cu.membership <> 'banned' and cu.mute_timeout > ${ctx.now()}`
  const rows = await query<Row>(
    ctx,
    sql`
    with found as (
      select false as is_mute, 'network'::ban_scope as scope, '' as space_id, '' as name, true as is_known, null::timestamptz as ends_at,
        ${holds(ctx, 'BAN_USER')} as may_lift
      from network_user where user_id = ${userId} and is_global_ban
      union all
      select ${isMuted}, 'community', k.community_id, coalesce(nullif(k.display_name, ''), k.community_id), m.reviews, cu.mute_timeout,
        case when cu.membership = 'banned' then ${mayInCommunity(ctx, 'banMembers', communityId)}
          else ${mayMute(ctx, person, { communityId })} end
      from community_user cu join community k on k.community_id = cu.community_id
      cross join lateral (
        select ${mayInCommunity(ctx, 'reviewComments', communityId)} or ${mayInCommunity(ctx, 'reviewPosts', communityId)} as reviews) m
      where cu.user_id = ${userId} and not k.is_deleted
        and (cu.membership = 'banned' and (k.is_public or m.reviews) or ${isMuted} and m.reviews)
      union all
      select ${isMuted}, 'channel', c.channel_id, coalesce(nullif(c.display_name, ''), c.channel_id), true, cu.mute_timeout,
        cu.membership = 'banned' or ${mayMute(ctx, person, { channelId })}
      from channel_user cu join channel c on c.channel_id = cu.channel_id
      where cu.user_id = ${userId} and not c.is_deleted
        and (cu.membership = 'banned' and ${mayInChannel(ctx, 'banMembers', channelId)}
          or ${isMuted} and ${mayInChannel(ctx, 'muteMembers', channelId)}))
    select p.is_mute, p.scope, p.space_id, p.name as display_name, p.may_lift,
      case when p.is_mute then coalesce(m.ends_at, p.ends_at) else b.ends_at end as ends_at,
      case when p.is_known then coalesce(by_rule.name, maker.display_name, m.muted_by, b.banned_by) end as by,
      case when p.is_known then coalesce(m.created_at, b.created_at) end as at,
      case when p.is_known then coalesce(m.reason, b.reason) end as reason,
      case when p.is_known then coalesce(m.policy_id, b.policy_id) end as policy_id
    from found p
    left join ban b on not p.is_mute and b.user_id = ${userId} and b.scope = p.scope
      and coalesce(b.community_id, b.channel_id, '') = p.space_id and b.lifted_at is null
    left join mute m on p.is_mute and m.user_id = ${userId}
      and p.space_id = case p.scope when 'community' then m.community_id else m.channel_id end and m.lifted_at is null
    left join network_user maker on maker.user_id = coalesce(m.muted_by, b.banned_by)
    left join rule by_rule on m.rule_version is not null and by_rule.rule_id = m.muted_by
    order by p.is_mute, p.scope = 'network' desc, p.scope = 'community' desc, p.name, p.space_id limit ${SHOWN}`,
  )
  const bans = rows
    .filter(({ isMute }) => !isMute)
    .map((row) => ({ ...toSanction(row), space: spaceOf(row.scope, row.spaceId) }))
  const mutes = rows.flatMap((row) =>
    row.isMute && row.scope !== 'network' ? { ...toSanction(row), space: spaceOf(row.scope, row.spaceId) } : [],
  )
  return { bans, ...(mutes.length > 0 && { mutes }) }
}

function toSanction({ displayName, mayLift, by, at, endsAt, reason, policyId }: Row): Omit<BanInForce, 'space'> {
  return {
    displayName,
    mayLift,
    ...present({ by, at: at?.toISOString(), endsAt: endsAt?.toISOString(), reason, policyId }),
  }
}
