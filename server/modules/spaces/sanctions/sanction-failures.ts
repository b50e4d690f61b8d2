import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { holds, REVIEWING_EVERYWHERE, REVIEWING_LOCALLY } from '#server/core/permissions.ts'
import { grants, networkPermissionsOf } from '#server/core/role-permissions.ts'
import { GLOBAL_ADMIN, outranks } from '#server/modules/accounts/roles/outranks.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import type { SpaceAction } from '#server/modules/spaces/membership/space-kind.ts'
import { mutedUntil } from '#server/modules/spaces/sanctions/muted.ts'
import type { BanScope, SanctionKind } from '#server/modules/spaces/sanctions/schema.ts'

/** Whether `network_user u` reviews content anywhere, or is the caller. */
export const isReviewer = (ctx: Ctx) => sql`(
  u.user_id is not distinct from ${actingUserId(ctx) ?? null} or ${GLOBAL_ADMIN} = any(u.roles)
  or (${networkPermissionsOf(sql`u.roles`)}) && ${REVIEWING_EVERYWHERE}::text[]
  or exists (
    select from community_user reviewing
    where reviewing.user_id = u.user_id and reviewing.membership = 'member' and not reviewing.is_deleted and reviewing.roles <> '{}'
      and (${sql.join(
        REVIEWING_LOCALLY.map((permission) => grants(sql`reviewing.roles`, permission)),
        ' or ',
      )})))`

/** Whether `network_user u` moderates a space. Uses community_user_user_id_idx and channel_user_user_id_idx. */
const isModerator = () =>
  sql.join(
    [communitySpace, channelSpace].map(
      ({ members, moderator }) => sql`exists (
        select from ${members} moderating
        where moderating.user_id = u.user_id and moderating.membership = 'member' and not moderating.is_deleted
          and moderating.roles @> array[${moderator}])`,
    ),
    ' or ',
  )

/** What allows each in a channel or community. */
export const SANCTION_ACTIONS = { ban: 'banMembers', mute: 'muteMembers' } as const satisfies Record<
  SanctionKind,
  SpaceAction
>

/**
 * A query: for each row of `wanted`, with `space_id` and `user_id`, why the caller can't ban or mute the account there together with others
 * (`SanctionFailure`); null if they can. Stricter than a single act: nobody who reviews content or moderates a space is banned or muted with
 * others, so that no space is left without a moderator.
 */
export function selectSanctionFailures(
  ctx: Ctx,
  { sanction, scope }: { sanction: SanctionKind; scope: BanScope },
  wanted: Sql,
): Sql {
  return scope === 'network' ? inNetwork(ctx, wanted) : inSpaces(ctx, { sanction, scope }, wanted)
}

function inSpaces(
  ctx: Ctx,
  { sanction, scope }: { sanction: SanctionKind; scope: Exclude<BanScope, 'network'> },
  wanted: Sql,
): Sql {
  const { table, members, id, mayAct, membership } = scope === 'channel' ? channelSpace : communitySpace
  const reach = scope === 'channel' ? { channelId: sql`s.channel_id` } : { communityId: sql`s.community_id` }
  const isMember = sql`coalesce(${membership(sql`cu`)} = 'member' and not cu.is_deleted, false)`
  const ofMute = sql`
      when not ${isMember} then 'NOT_MEMBER'
      when ${mutedUntil(ctx, sql`cu`)} is not null then 'MUTED'`
  return sql`
    select w.space_id, w.user_id, case
      when u.user_id is null or u.is_deleted then 'GONE'
      when s.${id} is null or s.is_deleted or not ${mayAct(ctx, SANCTION_ACTIONS[sanction], sql`s.${id}`)} then 'FORBIDDEN'
      when cu.user_id is not null and ${membership(sql`cu`)} = 'banned' then 'BANNED'
      ${sanction === 'mute' ? ofMute : sql.empty}
      when ${isReviewer(ctx)} or ${isModerator()} then 'REVIEWER'
      when not ${outranks(ctx, sql`u.user_id`, reach)} then 'RANK' end as failure
    from (${wanted}) w left join network_user u on u.user_id = w.user_id left join ${table} s on s.${id} = w.space_id
    left join ${members} cu on cu.${id} = s.${id} and cu.user_id = u.user_id`
}

function inNetwork(ctx: Ctx, wanted: Sql): Sql {
  return sql`
    select w.space_id, w.user_id, case
      when u.user_id is null or u.is_deleted then 'GONE'
      when not ${holds(ctx, 'BAN_USER')} then 'FORBIDDEN'
      when u.is_global_ban then 'BANNED'
      when ${isReviewer(ctx)} or ${isModerator()} then 'REVIEWER'
      when not ${outranks(ctx, sql`u.user_id`, 'network')} then 'RANK' end as failure
    from (${wanted}) w left join network_user u on u.user_id = w.user_id`
}
