import type { BanTerms } from '#server/core/ban-terms.ts'
import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'

/** Where a ban applies. */
interface BannedFrom {
  scope: 'channel' | 'community' | 'network'
  /** The channel or community; empty for the network. */
  spaceId: string
}

/** Part of a `with`: records a ban of the people in `changed`. */
export function insertBans(
  ctx: Ctx,
  { scope, spaceId, terms = {} }: BannedFrom & { terms?: BanTerms | undefined },
): Sql {
  const communityId = scope === 'community' ? spaceId : null
  const channelId = scope === 'channel' ? spaceId : null
  return sql`, bans as (
    insert into ban (scope, community_id, channel_id, user_id, banned_by, reason, policy_id, ends_at, created_at)
    select ${scope}::ban_scope, ${communityId}, ${channelId}, user_id, ${actorOf(ctx)}, ${terms.reason ?? null},
      ${terms.policyId ?? null}, ${terms.endsAt ?? null}, ${ctx.now()}
    from changed
    on conflict do nothing)`
}

/** Part of a `with`: closes the bans in force on the people in `changed`; an imported ban may have no record. Uses ban_in_force. */
export function liftBans(ctx: Ctx, { scope, spaceId }: BannedFrom): Sql {
  return sql`, bans as (
    update ban set lifted_at = ${ctx.now()}, lifted_by = ${actorOf(ctx)}
    from changed
    where scope = ${scope}::ban_scope and coalesce(community_id, channel_id, '') = ${spaceId} and ban.user_id = changed.user_id
      and lifted_at is null)`
}

function actorOf(ctx: Ctx): string {
  return actingUserId(ctx) ?? actorName(ctx)
}
