import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { holds, mayInChannel, mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { assertPolicy } from '#server/modules/network/policies/assert-policy.ts'
import { SPACE_KINDS, type SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { banEverywhere, unbanEverywhere } from '#server/modules/spaces/sanctions/ban-everywhere.ts'
import { namingUnmoderated } from '#server/modules/spaces/sanctions/last-moderators.ts'
import type {
  BanChoice,
  BanChoicesInput,
  BanDone,
  BanInput,
  BanSpace,
  UnbanInput,
} from '#server/modules/spaces/sanctions/schema.ts'
import { kindOf, spaceOf } from '#server/modules/spaces/sanctions/space-of.ts'

/**
 * Bans a person from a channel, a community or the network, for a time or until it is lifted, and says which spaces nobody moderates then. Fails
 * as the ban of that space does, and with INVALID_PARAMETERS for a policy that is unknown or archived.
 */
export async function banPerson(ctx: Ctx, { userId, space, minutes, reason, policyId }: BanInput): Promise<BanDone> {
  const endsAt = minutes === null ? undefined : new Date(ctx.now().getTime() + minutes * 60_000)
  const terms = { endsAt, reason, policyId }
  await assertPolicy(ctx, policyId)
  const withoutModerator = await namingUnmoderated(ctx, { space, userIds: [userId] }, async (ctx) => {
    if (space.scope === 'network') await banEverywhere(ctx, { userId, terms })
    else {
      const { kind, spaceId } = kindOf(space)
      await ban(ctx, kind, { spaceId, userIds: [userId], terms })
    }
  })
  return { withoutModerator }
}

/** Lifts it early. */
export async function unbanPerson(ctx: Ctx, { userId, space }: UnbanInput): Promise<void> {
  if (space.scope === 'network') await unbanEverywhere(ctx, { userId })
  else {
    const { kind, spaceId } = kindOf(space)
    await unban(ctx, kind, { spaceId, userIds: [userId] })
  }
}

/** The spaces where the caller may ban this person, the narrowest first; others are left out. */
export async function readBanChoices(ctx: Ctx, input: BanChoicesInput): Promise<BanChoice[]> {
  const choices = await Promise.all([readChannel(ctx, input), readCommunity(ctx, input), readNetwork(ctx, input)])
  return choices.filter((choice) => choice !== undefined)
}

interface ChoiceRow {
  spaceId: string
  displayName: string
  isBanned: boolean
  by: string | null
  at: Date | null
  endsAt: Date | null
  reason: string | null
  policyId: string | null
}

const BAN_COLUMNS = sql`banner.display_name as by, b.created_at as at, b.ends_at, b.reason, b.policy_id`

function readChannel(ctx: Ctx, { userId, channelId, communityId }: BanChoicesInput): Promise<BanChoice | undefined> {
  const its = sql`(select channel_id from community where community_id = ${communityId ?? null})`
  const where = sql`s.channel_id = coalesce(${channelId ?? null}, ${its})
    and ${mayInChannel(ctx, 'banMembers', sql`s.channel_id`)}`
  return readSpace(ctx, SPACE_KINDS.channel, { userId, where })
}

async function readCommunity(ctx: Ctx, { userId, communityId }: BanChoicesInput): Promise<BanChoice | undefined> {
  if (communityId === undefined) return undefined
  const where = sql`s.community_id = ${communityId} and ${mayInCommunity(ctx, 'banMembers', sql`s.community_id`)}
    and ${outranks(ctx, sql`u.user_id`, { communityId })}`
  return readSpace(ctx, SPACE_KINDS.community, { userId, where })
}

/** `where`: which space `s` it is, and whether the caller may ban `network_user u` there. */
async function readSpace(
  ctx: Ctx,
  { scope, table, members, id }: SpaceTable,
  { userId, where }: { userId: string; where: Sql },
): Promise<BanChoice | undefined> {
  const row = await queryOne<ChoiceRow>(
    ctx,
    sql`
    select s.${id} as space_id, coalesce(nullif(s.display_name, ''), s.${id}) as display_name,
      coalesce(cu.membership = 'banned', false) as is_banned, ${BAN_COLUMNS}
    from ${table} s join network_user u on u.user_id = ${userId}
    left join ${members} cu on cu.${id} = s.${id} and cu.user_id = u.user_id
    left join ban b on b.scope = ${scope}::ban_scope and b.${id} = s.${id} and b.user_id = u.user_id and b.lifted_at is null
    left join network_user banner on banner.user_id = b.banned_by
    where not s.is_deleted and u.user_id is distinct from ${actingUserId(ctx) ?? null} and ${where}`,
  )
  return row && toChoice(scope, row)
}

async function readNetwork(ctx: Ctx, { userId }: BanChoicesInput): Promise<BanChoice | undefined> {
  if (!holds(ctx, 'BAN_USER')) return undefined
  const row = await queryOne<ChoiceRow>(
    ctx,
    sql`
    select '' as space_id, '' as display_name, u.is_global_ban as is_banned, ${BAN_COLUMNS}
    from network_user u
    left join ban b on b.scope = 'network' and b.user_id = u.user_id and b.lifted_at is null
    left join network_user banner on banner.user_id = b.banned_by
    where u.user_id = ${userId} and u.user_id is distinct from ${actingUserId(ctx) ?? null}
      and ${outranks(ctx, sql`u.user_id`, 'network')}`,
  )
  return row && toChoice('network', row)
}

/** An imported ban has no record of who, when and why. */
function toChoice(
  scope: BanSpace['scope'],
  { spaceId, displayName, isBanned, by, at, endsAt, reason, policyId }: ChoiceRow,
): BanChoice {
  const space = spaceOf(scope, spaceId)
  if (!isBanned) return { space, displayName }
  return {
    space,
    displayName,
    ban: {
      at: at?.toISOString() ?? '',
      ...present({ by, endsAt: endsAt?.toISOString(), reason, policyId }),
    },
  }
}
