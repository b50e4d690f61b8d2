import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audits.ts'
import { recordDelta } from '#server/modules/ledger/counts/record-delta.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import {
  readChannelUsersById,
  type SeenChannel,
  seenChannel,
  toChannelEnvelope,
} from '#server/modules/spaces/channels/channel-envelope.ts'
import type { ChannelEnvelope } from '#server/modules/spaces/channels/schema.ts'

/** The event of each action; names that begin with `desk.` are published to desks only. */
const EVENT_OF = {
  banned: 'channel.didBan',
  unbanned: 'channel.didUnban',
  joined: 'channel.didJoin',
  left: 'channel.didLeave',
  added: 'channel.didAddUsers',
  removed: 'channel.didRemoveUsers',
  muted: 'desk.channel.didMuteUsers',
  unmuted: 'desk.channel.didUnmuteUsers',
  roleAdded: 'desk.channel.didAddRole',
  roleRemoved: 'desk.channel.didRemoveRole',
} as const
/** The second field in which an event names the actor, besides `actorId` (docs/interface/webhooks.md#channels). */
const ACTED_AS: Partial<Record<MemberAct, string>> = { added: 'adderId', removed: 'removerId' }

export type MemberAct = keyof typeof EVENT_OF

/** The changes of one member: ids and states. */
export interface MemberChange {
  userId: string
  before: Record<string, unknown>
  after: Record<string, unknown>
}

interface MemberChanges {
  channelId: string
  act: MemberAct
  /** The people in the response, whether or not anything changed for them. */
  userIds: string[]
  changes: MemberChange[]
  /** The change of the number of members. */
  membersDelta?: number
}

/**
 * Finishes an action on members, in its transaction: updates the count, writes an audit row for each person, publishes one event, and
 * returns the people concerned. Where nothing changed, it counts, audits and publishes nothing.
 */
export async function recordMemberChanges(
  ctx: Ctx,
  { channelId, act, userIds, changes, membersDelta = 0 }: MemberChanges,
): Promise<ChannelEnvelope> {
  if (membersDelta !== 0) await recordDelta(ctx, 'channel_members', channelId, membersDelta)
  const envelope = await answerChannel(ctx, channelId, userIds)
  if (changes.length === 0) return envelope

  await recordAudits(
    ctx,
    changes.map(({ userId, before, after }) => ({
      action: `channelUser.${act}`,
      subjectType: 'user',
      subjectId: userId,
      channelId,
      before,
      after,
    })),
  )
  const changed = new Set(changes.map(({ userId }) => userId))
  const actorId = actingUserId(ctx) ?? actorName(ctx)
  await recordEvent(ctx, {
    name: EVENT_OF[act],
    isDeskOnly: EVENT_OF[act].startsWith('desk.'),
    subjectType: 'channel',
    subjectId: channelId,
    payload: {
      channel: envelope.channels,
      users: envelope.users.filter(({ userId }) => changed.has(userId)),
      userIds: [...changed],
      actorId,
      ...(ACTED_AS[act] && { [ACTED_AS[act]]: actorId }),
    },
  })
  return envelope
}

/** A channel that the caller has acted in, so their access was checked: this reads by id alone. */
export async function answerChannel(ctx: Ctx, channelId: string, userIds: string[]): Promise<ChannelEnvelope> {
  const channels = await query<SeenChannel>(
    ctx,
    Prisma.sql`select ${seenChannel(ctx)} from channel c where c.channel_id = ${channelId}`,
  )
  return toChannelEnvelope(ctx, { channels, channelUsers: await readChannelUsersById(ctx, channelId, userIds) })
}
