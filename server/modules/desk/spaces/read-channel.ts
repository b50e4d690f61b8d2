import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { holds } from '#server/core/permissions.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { readSpaceRoles } from '#server/modules/desk/spaces/read-roles.ts'
import type { DeskChannel } from '#server/modules/desk/spaces/schema.ts'
import { readSpaceActs } from '#server/modules/desk/spaces/space-acts.ts'
import { mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'

/** One channel with what the caller may do in it. Fails as `readSpaceActs` does. */
export async function readDeskChannel(ctx: Ctx, { channelId }: { channelId: string }): Promise<DeskChannel> {
  const space = { scope: 'channel' as const, channelId }
  const acts = await readSpaceActs(ctx, space)
  const [{ channels, users }, roles, access] = await Promise.all([
    getChannel(ctx, { channelId }),
    readSpaceRoles(ctx, space, acts),
    readAccess(ctx, channelId),
  ])
  const [channel] = channels
  if (channel === undefined || access === undefined) throw new Error('a channel that was found is gone')
  const isConversation = channel.type === 'conversation'
  const pinned = channel.pinnedMessage && pinnedBy(channel.pinnedMessage, users)
  return {
    channel,
    ...(pinned && { pinned }),
    roles,
    may: {
      ...acts,
      read: access.isReadable,
      open: isConversation && !access.isReadable && holds(ctx, 'READ_CONVERSATIONS'),
    },
  }
}

/** Uses channel_pkey. */
function readAccess(ctx: Ctx, channelId: string): Promise<{ isReadable: boolean } | undefined> {
  return queryOne(
    ctx,
    sql`select ${mayReadChannel(ctx)} as is_readable from channel c where c.channel_id = ${channelId}`,
  )
}

function pinnedBy(
  { creatorId, pinnedBy }: { creatorId: string; pinnedBy?: string | undefined },
  users: User[],
): NonNullable<DeskChannel['pinned']> {
  const named = (userId: string) => {
    const user = users.find((one) => one.userId === userId)
    return user ? nameOf({ userId, displayName: user.displayName ?? null }) : userId
  }
  return { authorName: named(creatorId), ...(pinnedBy !== undefined && { pinnedByName: named(pinnedBy) }) }
}
