import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type ChannelAction, mayInChannel } from '#server/core/permissions.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import type { ChannelType } from '#server/modules/spaces/channels/schema.ts'

export interface LockedChannel {
  channelId: string
  type: ChannelType
}

/**
 * Locks a channel for one action on its members: a second action sees what the first did. Joining and leaving don't wait for it; they lock
 * the member's row. Fails with NOT_FOUND for a channel that is deleted or that the caller may not see, FORBIDDEN where they may not act.
 */
export async function lockChannel(ctx: Ctx, channelId: string, action: ChannelAction): Promise<LockedChannel> {
  const mayAct = mayInChannel(ctx, action, sql`c.channel_id`)
  const channel = await queryOne<LockedChannel>(
    ctx,
    sql`
    select c.channel_id, c.type from channel c
    where c.channel_id = ${channelId} and not c.is_deleted and (${mayKnowChannel(ctx)} or ${mayAct})
    for no key update of c`,
  )
  if (channel === undefined) throw new DomainError('NOT_FOUND')

  // Checked once the lock is held, so that roles include changes by its previous holder.
  const allowed = await queryOne<{ mayAct: boolean }>(
    ctx,
    sql`select ${mayAct} as may_act from channel c where c.channel_id = ${channelId}`,
  )
  if (!allowed?.mayAct) throw new DomainError('FORBIDDEN')
  return channel
}
