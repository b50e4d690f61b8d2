import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { holds, mayInChannel, mayInCommunity } from '#server/core/permissions.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { banEverywhere, unbanEverywhere } from '#server/modules/spaces/sanctions/ban-everywhere.ts'
import type {
  BanChoice,
  BanChoicesInput,
  BanInput,
  BanSpace,
  UnbanInput,
} from '#server/modules/spaces/sanctions/schema.ts'
import { spaceOf } from '#server/modules/spaces/sanctions/space-of.ts'

/** Bans a person from a channel, a community or the network, for a time or until it is lifted. Fails as the ban of that space does. */
export async function banPerson(ctx: Ctx, { userId, space, minutes, reason }: BanInput): Promise<void> {
  const endsAt = minutes === null ? undefined : new Date(ctx.now().getTime() + minutes * 60_000)
  const terms = { endsAt, reason }
  if (space.scope === 'network') {
    await banEverywhere(ctx, { userId, terms })
  } else {
    const { space, spaceId } = spaceOf(space)
    await ban(ctx, space, { spaceId, userIds: [userId], terms })
  }
}

/** Lifts it early. */
export async function unbanPerson(ctx: Ctx, { userId, space }: UnbanInput): Promise<void> {
  if (space.scope === 'network') {
    await unbanEverywhere(ctx, { userId })
  } else {
    const { space, spaceId } = spaceOf(space)
    await unban(ctx, space, { spaceId, userIds: [userId] })
  }
}

/** The spaces where the caller may ban this person, the narrowest first; others are left out. */
export async function readBanChoices(ctx: Ctx, input: BanChoicesInput): Promise<BanChoice[]> {
  const choices = await Promise.all([readChannel(ctx, input), readCommunity(ctx, input), readNetwork(ctx, input)])
  return choices.filter((choice) => choice !== undefined)
}

interface ChoiceRow {
  displayName: string
  isBanned: boolean
  by: string | null
  at: Date | null
  endsAt: Date | null
  reason: string | null
}

const BAN_COLUMNS = Prisma.sql`banner.display_name as by, b.created_at as at, b.ends_at as "endsAt", b.reason`

async function readChannel(
  ctx: Ctx,
  { userId, channelId, communityId }: BanChoicesInput,
): Promise<BanChoice | undefined> {
  const row = await queryOne<ChoiceRow & { channelId: string }>(
    ctx,
    Prisma.sql`
    select c.channel_id as "channelId", coalesce(nullif(c.display_name, ''), c.channel_id) as "displayName",
      coalesce(cu.membership = 'banned', false) as "isBanned", ${BAN_COLUMNS}
    from channel c join network_user u on u.user_id = ${userId}
    left join channel_user cu on cu.channel_id = c.channel_id and cu.user_id = u.user_id
    left join ban b on b.scope = 'channel' and b.channel_id = c.channel_id and b.user_id = u.user_id and b.lifted_at is null
    left join network_user banner on banner.user_id = b.banned_by
    where c.channel_id = coalesce(${channelId ?? null}, (select channel_id from community where community_id = ${communityId ?? null}))
      and not c.is_deleted and u.user_id is distinct from ${actingUserId(ctx) ?? null}
      and ${mayInChannel(ctx, 'banMembers', Prisma.sql`c.channel_id`)}`,
  )
  return row && toChoice({ scope: 'channel', channelId: row.channelId }, row)
}

async function readCommunity(ctx: Ctx, { userId, communityId }: BanChoicesInput): Promise<BanChoice | undefined> {
  if (communityId === undefined) return undefined
  const row = await queryOne<ChoiceRow>(
    ctx,
    Prisma.sql`
    select coalesce(nullif(k.display_name, ''), k.community_id) as "displayName",
      coalesce(cu.membership = 'banned', false) as "isBanned", ${BAN_COLUMNS}
    from community k join network_user u on u.user_id = ${userId}
    left join community_user cu on cu.community_id = k.community_id and cu.user_id = u.user_id
    left join ban b on b.scope = 'community' and b.community_id = k.community_id and b.user_id = u.user_id and b.lifted_at is null
    left join network_user banner on banner.user_id = b.banned_by
    where k.community_id = ${communityId} and not k.is_deleted and u.user_id is distinct from ${actingUserId(ctx) ?? null}
      and ${mayInCommunity(ctx, 'banMembers', Prisma.sql`k.community_id`)}
      and ${outranks(ctx, Prisma.sql`u.user_id`, { communityId })}`,
  )
  return row && toChoice({ scope: 'community', communityId }, row)
}

async function readNetwork(ctx: Ctx, { userId }: BanChoicesInput): Promise<BanChoice | undefined> {
  if (!holds(ctx, 'BAN_USER')) return undefined
  const row = await queryOne<ChoiceRow>(
    ctx,
    Prisma.sql`
    select '' as "displayName", u.is_global_ban as "isBanned", ${BAN_COLUMNS}
    from network_user u
    left join ban b on b.scope = 'network' and b.user_id = u.user_id and b.lifted_at is null
    left join network_user banner on banner.user_id = b.banned_by
    where u.user_id = ${userId} and u.user_id is distinct from ${actingUserId(ctx) ?? null}
      and ${outranks(ctx, Prisma.sql`u.user_id`, 'network')}`,
  )
  return row && toChoice({ scope: 'network' }, row)
}

/** An imported ban has no record of who, when and why. */
function toChoice(space: BanSpace, { displayName, isBanned, by, at, endsAt, reason }: ChoiceRow): BanChoice {
  if (!isBanned) return { space, displayName }
  return {
    space,
    displayName,
    ban: {
      at: at?.toISOString() ?? '',
      ...(by !== null && { by }),
      ...(endsAt && { endsAt: endsAt.toISOString() }),
      ...(reason !== null && { reason }),
    },
  }
}
