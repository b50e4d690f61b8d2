import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'
import { recordMemberChanges } from '#server/modules/spaces/channels/record-member-changes.ts'
import type { ChannelEnvelope, ChannelParams, ChannelType } from '#server/modules/spaces/channels/schema.ts'

/**
 * docs/interface/channels.md#join-a-channel: makes the caller a member if they aren't one. Fails with NOT_FOUND for a channel that is
 * deleted or that the caller may not see, BANNED for the banned, FORBIDDEN where members are added by others: a conversation, and a private
 * channel that staff see.
 */
export function joinChannel(ctx: Ctx, { channelId }: ChannelParams): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const channel = await findChannel(ctx, channelId)
    if (channel.membership === 'member') return getChannel(ctx, { channelId })

    const userId = actingUserId(ctx)
    if (userId === undefined || !channel.isPublic || channel.type === 'conversation') throw new DomainError('FORBIDDEN')
    const { isNew } = await join(ctx, channelId, userId)
    return recordMemberChanges(ctx, {
      channelId,
      act: 'joined',
      userIds: [userId],
      changes: isNew ? [{ userId, before: { membership: 'none' }, after: { membership: 'member', roles: [] } }] : [],
      membersDelta: isNew ? 1 : 0,
    })
  })
}

interface JoinableChannel {
  type: ChannelType
  isPublic: boolean
  membership: 'none' | 'member'
}

/** Banned people may see their ban, also in a channel that they can't see. */
async function findChannel(ctx: Ctx, channelId: string): Promise<JoinableChannel> {
  const channel = await queryOne<
    Omit<JoinableChannel, 'membership'> & { membership: JoinableChannel['membership'] | 'banned' }
  >(
    ctx,
    Prisma.sql`
    select c.type, c.is_public as "isPublic",
      case when mine.is_deleted and mine.membership = 'member' then 'none' else coalesce(mine.membership, 'none') end as membership
    from channel c left join channel_user mine on mine.channel_id = c.channel_id and mine.user_id = ${actingUserId(ctx) ?? null}
    where c.channel_id = ${channelId} and not c.is_deleted and (${mayKnowChannel(ctx)} or mine.membership = 'banned')`,
  )
  if (channel === undefined) throw new DomainError('NOT_FOUND')
  const { membership } = channel
  if (membership === 'banned') throw new DomainError('BANNED')
  return { ...channel, membership }
}

/**
 * Compare-and-set: people banned at the same moment stay out, and of two joins the second changes nothing. Roles left over from an import
 * are not restored.
 */
async function join(ctx: Ctx, channelId: string, userId: string): Promise<{ isNew: boolean }> {
  const now = ctx.now()
  const joined = await queryOne<{ isNew: boolean }>(
    ctx,
    Prisma.sql`
    insert into channel_user as cu (channel_id, user_id, membership, last_activity, created_at, updated_at)
    values (${channelId}, ${userId}, 'member', ${now}, ${now}, ${now})
    on conflict (channel_id, user_id) do update set membership = 'member', is_deleted = false, last_activity = ${now}, updated_at = ${now},
      roles = case when cu.membership = 'member' and not cu.is_deleted then cu.roles else '{}' end
    where cu.membership <> 'banned'
    returning (old.membership = 'member' and not old.is_deleted) is not true as "isNew"`,
  )
  if (joined === undefined) throw new DomainError('BANNED')
  return joined
}
