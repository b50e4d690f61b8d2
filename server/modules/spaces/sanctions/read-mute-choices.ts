import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { mayMute } from '#server/modules/spaces/sanctions/may-mute.ts'
import type { BanChoicesInput, MuteChoice, OneSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { spaceOf } from '#server/modules/spaces/sanctions/space-of.ts'

const SHOWN = 50

interface Row {
  scope: OneSpace['scope']
  spaceId: string
  displayName: string
  isMuted: boolean
  by: string | null
  at: Date | null
  endsAt: Date | null
  reason: string | null
  policyId: string | null
}

/**
 * Where the caller may mute this person, who is a member of lower rank there: the community and its channel where the caller came across them, or
 * all of their spaces, communities first and by name; at most 50. Uses community_user_user_id_idx, channel_user_user_id_idx and
 * mute_user_id_created_at_idx.
 */
export async function readMuteChoices(
  ctx: Ctx,
  { userId, communityId, channelId }: BanChoicesInput,
): Promise<MuteChoice[]> {
  const person = sql`${userId}`
  const isAnywhere = communityId === undefined && channelId === undefined
  const its = sql`coalesce(${channelId ?? null}, (select channel_id from community where community_id = ${communityId ?? null}))`
  const rows = await query<Row>(
    ctx,
    sql`
    with found as (
      select 'community'::ban_scope as scope, k.community_id as space_id, coalesce(nullif(k.display_name, ''), k.community_id) as name,
        cu.mute_timeout
      from community_user cu join community k on k.community_id = cu.community_id
      where cu.user_id = ${userId} and not k.is_deleted and (${isAnywhere} or k.community_id = ${communityId ?? null})
        and ${mayMute(ctx, person, { communityId: sql`k.community_id` })}
      union all
      select 'channel', c.channel_id, coalesce(nullif(c.display_name, ''), c.channel_id), cu.mute_timeout
      from channel_user cu join channel c on c.channel_id = cu.channel_id
      where cu.user_id = ${userId} and not c.is_deleted and (${isAnywhere} or c.channel_id = ${its})
        and ${mayMute(ctx, person, { channelId: sql`c.channel_id` })})
    select f.scope::text as scope, f.space_id, f.name as display_name, coalesce(f.mute_timeout > ${ctx.now()}, false) as is_muted,
      coalesce(by_rule.name, maker.display_name, m.muted_by) as by, m.created_at as at, coalesce(m.ends_at, f.mute_timeout) as ends_at, m.reason, m.policy_id
    from found f
    left join mute m on m.user_id = ${userId} and m.lifted_at is null
      and f.space_id = case f.scope when 'community' then m.community_id else m.channel_id end
    left join network_user maker on maker.user_id = m.muted_by
    left join rule by_rule on m.rule_version is not null and by_rule.rule_id = m.muted_by
    order by f.scope = 'channel', f.name, f.space_id ${sql.raw(`limit ${SHOWN}`)}`,
  )
  return rows.map(({ scope, spaceId, displayName, isMuted, at, endsAt, ...mute }) => ({
    space: spaceOf(scope, spaceId),
    displayName,
    ...(isMuted && { mute: present({ ...mute, at: at?.toISOString(), endsAt: endsAt?.toISOString() }) }),
  }))
}
