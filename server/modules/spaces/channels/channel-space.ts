import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInChannel, mayInChannelByRow } from '#server/core/permissions.ts'
import { requireUser } from '#server/core/require-user.ts'
import { ownAuthority } from '#server/modules/accounts/roles/own-authority.ts'
import { readChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { findChannelPeople, toPayload } from '#server/modules/spaces/channels/find-channel-people.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import type { ChannelEnvelope, ChannelType } from '#server/modules/spaces/channels/schema.ts'
import type { Concerned, DoneAct, SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import { type Membership, SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

/** Channels as spaces. Nobody is added to a conversation, or removed from it. */
export const channelSpace: SpaceKind<ChannelEnvelope> = {
  ...SPACE_KINDS.channel,
  lock: async (ctx, channelId, action) => {
    const { type } = await lockChannel(ctx, channelId, action)
    const isFixed = action === 'addMembers' || action === 'removeMembers'
    if (type === 'conversation' && isFixed) throw new DomainError('FORBIDDEN')
  },
  mayAct: mayInChannel,
  mayActByRow: mayInChannelByRow,
  find: findChannelPeople,
  enter,
  exit,
  authority: (ctx, channelId) => ownAuthority(ctx, { channelId }),
  answer: readChannelEnvelope,
  answerOwn: (ctx, channelId) => getChannel(ctx, { channelId }),
  publish,
}

interface Entrance {
  type: ChannelType
  isPublic: boolean
  membership: Membership
}

/** Banned people may see their ban, also in a channel that they can't see. */
async function enter(ctx: Ctx, channelId: string): Promise<{ membership: Membership; isOpen: boolean }> {
  const channel = await queryOne<Entrance>(
    ctx,
    sql`
    select c.type, c.is_public,
      case when mine.is_deleted and mine.membership = 'member' then 'none' else coalesce(mine.membership, 'none') end as membership
    from channel c left join channel_user mine on mine.channel_id = c.channel_id and mine.user_id = ${actingUserId(ctx) ?? null}
    where c.channel_id = ${channelId} and not c.is_deleted and (${mayKnowChannel(ctx)} or mine.membership = 'banned')`,
  )
  if (channel === undefined) throw new DomainError('NOT_FOUND')
  return { membership: channel.membership, isOpen: channel.isPublic && channel.type !== 'conversation' }
}

async function exit(ctx: Ctx, channelId: string): Promise<Concerned[]> {
  const channel = await queryOne<{ type: ChannelType }>(
    ctx,
    sql`
    select c.type from channel c where c.channel_id = ${channelId} and not c.is_deleted and ${mayKnowChannel(ctx)}`,
  )
  if (channel === undefined) throw new DomainError('NOT_FOUND')
  if (channel.type === 'conversation') throw new DomainError('FORBIDDEN')
  return [{ userId: requireUser(ctx), membership: 'member' }]
}

async function publish(ctx: Ctx, { spaceId, act, userIds, changed }: DoneAct) {
  const answer = await readChannelEnvelope(ctx, spaceId, userIds)
  return { payload: toPayload(ctx, answer, { act, changed }), answer }
}
