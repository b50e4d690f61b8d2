import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { Page } from '#server/core/list-page.ts'
import { listPage, numberTie } from '#server/core/list-page.ts'
import { holds, mayInChannel, mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import type { BanRecord, MuteRecord, PersonListInput } from '#server/modules/people/schema.ts'
import { knowsChannel, knowsCommunity } from '#server/modules/people/scope.ts'
import { type NamedRow, namedAs } from '#server/modules/people/view.ts'
import { mayMute } from '#server/modules/spaces/sanctions/may-mute.ts'
import { spaceOf } from '#server/modules/spaces/sanctions/space-of.ts'

interface SanctionRow {
  id: string
  at: Date
  by: NamedRow
  reason: string | null
  policyId: string | null
  endsAt: Date | null
  liftedAt: Date | null
  liftedBy: NamedRow
  spaceName: string | null
}

const SANCTION_COLUMNS = sql`b.created_at as at, b.reason, b.policy_id, b.ends_at, b.lifted_at`
const LIFTED_BY = namedAs(sql`b.lifted_by`, sql`lifter`)

/** Bans from channels, communities and the network, in force and over, latest first. Uses ban_user_id_created_at_idx. */
export function listBans(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<BanRecord>> {
  interface BanRow extends SanctionRow {
    scope: 'network' | 'community' | 'channel'
    spaceId: string | null
    mayLift: boolean
  }
  return listPage<BanRow, BanRecord>(ctx, page, {
    order: orderOf(sql`b.ban_id`),
    select: ({ where, orderBy, limit }) => sql`
      select ${numberTie(sql`b.ban_id`)} as id, b.scope::text as scope, coalesce(b.community_id, b.channel_id) as space_id,
        coalesce(nullif(k.display_name, ''), nullif(c.display_name, '')) as space_name, ${mayLift(ctx)} as may_lift,
        ${namedAs(sql`b.banned_by`, sql`banner`)} as by, ${LIFTED_BY} as lifted_by, ${SANCTION_COLUMNS}
      from ban b left join community k on k.community_id = b.community_id left join channel c on c.channel_id = b.channel_id
        left join network_user banner on banner.user_id = b.banned_by left join network_user lifter on lifter.user_id = b.lifted_by
      where b.user_id = ${userId} and ${where} and ${knowsBan(ctx)}
      order by ${orderBy} ${limit}`,
    positionOf: ({ at, id }) => [timestampOf(at), id],
    toItem: ({ scope, spaceId, mayLift, ...row }) => ({
      banId: String(BigInt(row.id)),
      mayLift,
      space: { ...spaceOf(scope, spaceId ?? ''), displayName: row.spaceName ?? spaceId ?? '' },
      ...toSanction(row),
    }),
  })
}

/** Whether the caller may see ban `b`. */
export function knowsBan(ctx: Ctx): Sql {
  return sql`case b.scope when 'network' then ${holds(ctx, 'VIEW_USERS') || holds(ctx, 'BAN_USER')}
    when 'community' then ${knowsCommunity(ctx, 'VIEW_USERS', sql`b.community_id`)}
    else ${knowsChannel(ctx, 'VIEW_USERS', sql`b.channel_id`)} end`
}

/** Whether the caller may see mute `b`. */
export function knowsMute(ctx: Ctx): Sql {
  return sql`case when b.channel_id is null then ${knowsCommunity(ctx, 'VIEW_USERS', sql`b.community_id`)}
    else ${knowsChannel(ctx, 'VIEW_USERS', sql`b.channel_id`)} end`
}

/** Whether the caller may lift ban `b`, as lifting it checks: those who may ban there, for people of lower rank there. */
function mayLift(ctx: Ctx): Sql {
  const [person, communityId, channelId] = [sql`b.user_id`, sql`b.community_id`, sql`b.channel_id`]
  return sql`b.lifted_at is null and b.user_id is distinct from ${actingUserId(ctx) ?? null} and case b.scope
    when 'network' then ${holds(ctx, 'BAN_USER')} and ${outranks(ctx, person, 'network')}
    when 'community' then ${mayInCommunity(ctx, 'banMembers', communityId)} and ${outranks(ctx, person, { communityId })}
    else ${mayInChannel(ctx, 'banMembers', channelId)} and ${outranks(ctx, person, { channelId })} end`
}

/**
 * Mutes in channels and communities, in force and over, latest first. A rule may have made or ended one. Uses mute_user_id_created_at_idx.
 */
export function listMutes(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<MuteRecord>> {
  interface MuteRow extends SanctionRow {
    scope: 'community' | 'channel'
    spaceId: string
    mayLift: boolean
  }
  const person = sql`b.user_id`
  return listPage<MuteRow, MuteRecord>(ctx, page, {
    order: orderOf(sql`b.mute_id`),
    select: ({ where, orderBy, limit }) => sql`
      select ${numberTie(sql`b.mute_id`)} as id, case when b.channel_id is null then 'community' else 'channel' end as scope,
        coalesce(b.community_id, b.channel_id) as space_id, coalesce(nullif(k.display_name, ''), nullif(c.display_name, '')) as space_name,
        b.lifted_at is null and case when b.channel_id is null then ${mayMute(ctx, person, { communityId: sql`b.community_id` })}
          else ${mayMute(ctx, person, { channelId: sql`b.channel_id` })} end as may_lift,
        case when b.rule_version is not null then jsonb_build_object('displayName', coalesce(by_rule.name, b.muted_by))
          else ${namedAs(sql`b.muted_by`, sql`muter`)} end as by,
        case when replacing.rule_id is not null then jsonb_build_object('displayName', replacing.name) else ${LIFTED_BY} end as lifted_by,
        ${SANCTION_COLUMNS}
      from mute b left join community k on k.community_id = b.community_id left join channel c on c.channel_id = b.channel_id
        left join network_user muter on muter.user_id = b.muted_by left join rule by_rule on by_rule.rule_id = b.muted_by
        left join network_user lifter on lifter.user_id = b.lifted_by left join rule replacing on replacing.rule_id = b.lifted_by
      where b.user_id = ${userId} and ${where} and ${knowsMute(ctx)}
      order by ${orderBy} ${limit}`,
    positionOf: ({ at, id }) => [timestampOf(at), id],
    toItem: ({ scope, spaceId, mayLift, ...row }) => ({
      muteId: String(BigInt(row.id)),
      mayLift,
      space: { ...spaceOf(scope, spaceId), displayName: row.spaceName ?? spaceId },
      ...toSanction(row),
    }),
  })
}

function orderOf(idColumn: Sql) {
  return {
    first: { column: sql`b.created_at`, isDescending: true, type: 'timestamptz' as const },
    tie: { column: numberTie(idColumn), isDescending: true },
  }
}

function toSanction({ at, by, reason, policyId, endsAt, liftedAt, liftedBy }: SanctionRow) {
  return {
    at: timestampOf(at),
    ...present({
      by,
      reason,
      policyId,
      endsAt: endsAt && timestampOf(endsAt),
      liftedAt: liftedAt && timestampOf(liftedAt),
      liftedBy,
    }),
  }
}
