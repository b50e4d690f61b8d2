import type { Ctx } from '#server/core/ctx.ts'
import type { Page } from '#server/core/list-page.ts'
import type { DeskChannelsInput } from '#server/modules/desk/spaces/schema.ts'
import { channelsShown } from '#server/modules/desk/spaces/space-acts.ts'
import { listChannels } from '#server/modules/spaces/channels/list-channels.ts'
import type { Channel } from '#server/modules/spaces/channels/schema.ts'

/** The channels that the caller moderates, those with the latest activity first; all of them for those who see every channel. */
export async function listDeskChannels(ctx: Ctx, input: DeskChannelsInput): Promise<Page<Channel>> {
  const { search, types, tags, isMine, cursor, limit } = input
  const { channels, paging } = await listChannels(ctx, {
    keyword: search,
    searchesIds: true,
    within: channelsShown(ctx),
    types,
    tags,
    filter: isMine ? 'member' : 'all',
    sortBy: 'lastActivity',
    isDeleted: false,
    options: { limit, token: cursor },
  })
  return {
    items: channels,
    ...(paging.next !== undefined && { next: paging.next }),
    ...(paging.prev !== undefined && { previous: paging.prev }),
  }
}
