import { actingUserId, actorHolds, actorName, type Ctx } from '#server/core/ctx.ts'
import { listOf, type Sql, sql } from '#server/core/db.ts'
import { mayInChannel } from '#server/core/permissions.ts'
import { toChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { type FoundChannels, findChannels } from '#server/modules/spaces/channels/find-channels.ts'
import type { ChannelEnvelope } from '#server/modules/spaces/channels/schema.ts'
import { type PeopleRow, peopleColumns, toPeople } from '#server/modules/spaces/membership/find-people.ts'
import { TRANSITIONS } from '#server/modules/spaces/membership/set-membership.ts'
import type { DoneAct, FoundPeople, PlannedChange, WantedPeople } from '#server/modules/spaces/membership/space-kind.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

/**
 * A channel with people, and all that an action on them publishes and answers. Whether the caller knows of one where they may not act is only
 * looked at afterwards: it makes the plan larger.
 */
export async function findChannelPeople(
  ctx: Ctx,
  wanted: WantedPeople,
): Promise<FoundPeople<ChannelEnvelope> | undefined> {
  const mayAct = mayInChannel(ctx, wanted.action, sql`c.channel_id`)
  const found = await read(ctx, wanted, { scope: mayAct, mayAct: sql`true` })
  return found ?? read(ctx, wanted, { scope: sql`(${mayKnowChannel(ctx)} or ${mayAct})`, mayAct })
}

async function read(
  ctx: Ctx,
  wanted: WantedPeople,
  { scope, mayAct }: { scope: Sql; mayAct: Sql },
): Promise<FoundPeople<ChannelEnvelope> | undefined> {
  const { spaceId, userIds, action } = wanted
  const isFixed = action === 'addMembers' || action === 'removeMembers'
  const found = await findChannels<PeopleRow & { mayAct: boolean }>(ctx, {
    channels: {
      rows: sql`
        select * from channel c
        where c.channel_id = ${spaceId} and not c.is_deleted and ${scope} and ${actorHolds(ctx)}`,
      orderBy: sql`c.channel_id`,
    },
    channelUsers: {
      rows: sql`select * from channel_user where channel_id = ${spaceId} and user_id = any(${listOf(userIds)})`,
      orderBy: sql`cu.user_id`,
    },
    more: sql`,
      ${mayAct} and not (${isFixed} and c.type = 'conversation') as may_act, ${peopleColumns(ctx, SPACE_KINDS.channel, wanted)}`,
  })
  const [channel] = found.channels
  if (channel === undefined) return undefined
  return { mayAct: channel.mayAct, ...toPeople(channel), publish: (change) => publish(ctx, found, change) }
}

function publish(ctx: Ctx, found: FoundChannels, { act, changed, counts }: PlannedChange) {
  const after = {
    membership: TRANSITIONS[act].to,
    ...(act !== 'unbanned' && { roles: [], permissions: [] }),
    updatedAt: ctx.now(),
  }
  const answer = toChannelEnvelope(ctx, {
    ...found,
    channels: found.channels.map((channel) => ({ ...channel, memberCount: channel.memberCount + counts.members })),
    channelUsers: found.channelUsers.map((member) =>
      changed.includes(member.userId) ? { ...member, ...after } : member,
    ),
  })
  return { payload: toPayload(ctx, answer, { act: SPACE_KINDS.channel.acts[act], changed }), answer }
}

/** What the event of an action on people of a channel contains. */
export function toPayload(
  ctx: Ctx,
  { channels, users }: ChannelEnvelope,
  { act, changed }: Pick<DoneAct, 'act' | 'changed'>,
): Record<string, unknown> {
  const actorId = actingUserId(ctx) ?? actorName(ctx)
  return {
    channel: channels,
    users: users.filter(({ userId }) => changed.includes(userId)),
    userIds: changed,
    actorId,
    ...(act.actorField && { [act.actorField]: actorId }),
  }
}
