import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables } from '#server/modules/ledger/events/record-event.ts'
import { readChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import type { ChannelEnvelope } from '#server/modules/spaces/channels/schema.ts'

/** The event of each action; names that begin with `desk.` are published to desks only. */
const EVENT_OF = {
  updated: 'channel.didUpdate',
  deleted: 'desk.channel.didDelete',
  muted: 'desk.channel.didMute',
  unmuted: 'desk.channel.didUnmute',
} as const

interface Change {
  channelId: string
  act: keyof typeof EVENT_OF
  before?: Record<string, unknown>
  after: Record<string, unknown>
}

/**
 * Finishes an action on a channel itself, in its transaction: writes the audit row, publishes the event, and returns the channel with the
 * caller's membership.
 */
export async function publishChannel(ctx: Ctx, { channelId, act, ...states }: Change): Promise<ChannelEnvelope> {
  const userId = actingUserId(ctx)
  const envelope = await readChannelEnvelope(ctx, channelId, userId === undefined ? [] : [userId])
  const subject = { subjectType: 'channel', subjectId: channelId }
  const audit = { ...subject, action: `channel.${act}`, channelId, ...states }
  const event = {
    ...subject,
    name: EVENT_OF[act],
    isDeskOnly: EVENT_OF[act].startsWith('desk.'),
    payload: { channel: envelope.channels, actorId: userId ?? actorName(ctx) },
  }
  await execute(ctx, sql`with ${auditTables(ctx, [audit])}, ${eventTables(ctx, [event])} select from stored_event`)
  return envelope
}
