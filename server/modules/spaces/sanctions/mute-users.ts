import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import type { ChannelParams, MuteUsers } from '#server/modules/spaces/channels/schema.ts'
import { assertBelow, assertMembers, idsOf, lockMembers } from '#server/modules/spaces/membership/lock-people.ts'
import { publishMembers } from '#server/modules/spaces/membership/publish-members.ts'
import type { PublishedAct } from '#server/modules/spaces/membership/space-kinds.ts'

const MUTED: PublishedAct = { action: 'channelUser.muted', event: 'desk.channel.didMuteUsers' }
const UNMUTED: PublishedAct = { action: 'channelUser.unmuted', event: 'desk.channel.didUnmuteUsers' }

/**
 * Mutes members for a time from now on, or ends their mutes with 0. Fails with NOT_FOUND for an unknown channel or user, FORBIDDEN without
 * the permission and for people of equal or higher rank, NOT_CHANNEL_MEMBER for someone who isn't a member; then nobody is muted.
 */
export function muteUsers(
  ctx: Ctx,
  { channelId, userIds, mutePeriod, reason }: ChannelParams & MuteUsers & { reason?: string | undefined },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, channelId, 'muteMembers')
    const members = await lockMembers(ctx, channelSpace, { spaceId: channelId, userIds })
    assertBelow(members, 'FORBIDDEN')
    assertMembers(channelSpace, members, { userIds })

    const timeout = mutePeriod === 0 ? null : new Date(ctx.now().getTime() + mutePeriod)
    const changed = await setMute(ctx, { channelId, userIds: idsOf(members), timeout })
    if (timeout !== null) await writeMutes(ctx, { channelId, userIds: idsOf(changed), endsAt: timeout, reason })
    await publishMutes(ctx, { channelId, changed, timeout })
  })
}

/** Ends expired mutes in a locked channel: compare-and-set, so that each ends once. */
export async function endMutes(ctx: Ctx, channelId: string, userIds: string[]): Promise<void> {
  const now = ctx.now()
  const changed = await query<Changed>(
    ctx,
    sql`
    with ended as (
      update channel_user cu set mute_timeout = null, updated_at = ${now}
      from ${mutesBefore(channelId, userIds, sql`mute_timeout <= ${now}`)}
      where cu.channel_id = ${channelId} and cu.user_id = before.user_id
      returning before.*),
    closed as (
      update mute set lifted_at = ${now}, lifted_by = null
      from ended where mute.channel_id = ${channelId} and mute.user_id = ended.user_id and mute.lifted_at is null)
    select user_id, mute_timeout as before from ended order by user_id`,
  )
  await publishMutes(ctx, { channelId, changed, timeout: null })
}

interface Changed {
  userId: string
  before: Date | null
}

/** Ending an expired mute changes nothing. Replaces any mute in force. */
function setMute(
  ctx: Ctx,
  { channelId, userIds, timeout }: { channelId: string; userIds: string[]; timeout: Date | null },
): Promise<Changed[]> {
  const isConcerned =
    timeout === null ? sql`membership = 'member' and mute_timeout > ${ctx.now()}` : sql`membership = 'member'`
  return query(
    ctx,
    sql`
    with changed as (
      update channel_user cu set mute_timeout = ${timeout}, updated_at = ${ctx.now()}
      from ${mutesBefore(channelId, userIds, isConcerned)}
      where cu.channel_id = ${channelId} and cu.user_id = before.user_id
      returning before.*),
    closed as (
      update mute set lifted_at = ${ctx.now()}, lifted_by = ${actingUserId(ctx) ?? actorName(ctx)}
      from changed where mute.channel_id = ${channelId} and mute.user_id = changed.user_id and mute.lifted_at is null)
    select user_id, mute_timeout as before from changed order by user_id`,
  )
}

/** The rows to change, locked, as they are before. */
function mutesBefore(channelId: string, userIds: string[], isConcerned: Sql): Sql {
  return sql`(
    select user_id, mute_timeout from channel_user
    where channel_id = ${channelId} and user_id = any(${userIds}) and ${isConcerned}
    order by user_id for update) before`
}

interface NewMutes {
  channelId: string
  userIds: string[]
  endsAt: Date
  /** The reason is a person's words: stored with the mute, where it can be erased, and not in the log. */
  reason: string | undefined
}

async function writeMutes(ctx: Ctx, { channelId, userIds, endsAt, reason }: NewMutes): Promise<void> {
  await execute(
    ctx,
    sql`
    insert into mute (channel_id, user_id, muted_by, reason, created_at, ends_at)
    select ${channelId}, person.user_id, ${actingUserId(ctx) ?? actorName(ctx)}, ${reason ?? null}, ${ctx.now()}, ${endsAt}
    from unnest(${userIds}::text[]) as person(user_id)`,
  )
}

function publishMutes(
  ctx: Ctx,
  { channelId, changed, timeout }: { channelId: string; changed: Changed[]; timeout: Date | null },
) {
  return publishMembers(ctx, channelSpace, {
    spaceId: channelId,
    act: timeout === null ? UNMUTED : MUTED,
    userIds: idsOf(changed),
    changes: changed.map(({ userId, before }) => ({
      userId,
      before: { muteTimeout: before },
      after: { muteTimeout: timeout },
    })),
  })
}
