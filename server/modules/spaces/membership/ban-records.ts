import type { BanTerms } from '#server/core/ban-terms.ts'
import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { statementTables } from '#server/modules/network/statements/write-statements.ts'

/** Where a ban applies. */
interface BannedFrom {
  scope: 'channel' | 'community' | 'network'
  /** The channel or community; empty for the network. */
  spaceId: string
}

/** Part of a `with`: records a ban of the people in `changed`, with statements of reasons; it also ends that what they write there is published at once. Uses author_treatment_in_force. */
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
    on conflict do nothing returning *),
  ${banStatements(ctx)}${scope === 'channel' ? sql.empty : endTrust(ctx, communityId)}`
}

/** Part of a `with`: statements of reasons for the rows of `bans`. */
export function banStatements(ctx: Ctx): Sql {
  return statementTables(ctx, {
    measure: 'banned',
    from: sql`bans`,
    userId: sql`bans.user_id`,
    communityId: sql`bans.community_id`,
    channelId: sql`bans.channel_id`,
    banId: sql`bans.ban_id`,
    policyId: sql`bans.policy_id`,
  })
}

/** Locks in the order of ids, as people may be banned from several places at once. */
function endTrust(ctx: Ctx, communityId: string | null): Sql {
  return sql`,
  trust as (
    update author_treatment a set ended_at = ${ctx.now()}, ended_by = ${actorOf(ctx)}
    from (
      select a.treatment_id from changed join author_treatment a on a.user_id = changed.user_id
      where a.kind = 'trust' and a.ended_at is null and (a.ends_at is null or a.ends_at > ${ctx.now()})
        and (${communityId === null} or a.community_id = ${communityId})
      order by a.treatment_id for update of a) due
    where a.treatment_id = due.treatment_id)`
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
