import type { Ctx } from '#server/core/ctx.ts'
import { readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { listOf, sql } from '#server/core/db.ts'
import { findHits } from '#server/modules/search/find-hits.ts'
import { hitKey } from '#server/modules/search/hit-key.ts'
import type { FoundChannels, SearchChannelsQuery } from '#server/modules/search/schema.ts'
import { mayFind } from '#server/modules/search/search-scope.ts'
import { toChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import { isMemberOfChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { findChannels, ownChannelUsers } from '#server/modules/spaces/channels/find-channels.ts'

const CHANNELS_A_PAGE = 20

/** Worded exactly as the index channel_name is, whose tokens have no level. */
const CHANNELS = {
  table: sql`channel`,
  alias: sql`c`,
  join: sql.empty,
  id: sql`c.channel_id`,
  text: sql`c.display_name`,
  words: sql`search_words(c.display_name)`,
  at: sql`c.last_activity`,
  tie: sql`c.internal_id`,
  tokens: sql`channel_tokens(c.display_name)`,
  levels: [''],
}

/** Channels visible to the caller with these words in their name, none deleted (docs/interface/search.md#search-channels). */
export async function searchChannels(ctx: Ctx, { options, ...asked }: SearchChannelsQuery): Promise<FoundChannels> {
  const page = readPageRequest(options, CHANNELS_A_PAGE)
  const { hits, ...counted } = await findHits(
    ctx,
    {
      ...CHANNELS,
      conditions: [
        mayFind(ctx),
        ...(asked.isMemberOnly ? [isMemberOfChannel(ctx)] : []),
        ...(asked.types ? [sql`c.type = any(${asked.types}::channel_type[])`] : []),
        ...(asked.tags ? [sql`c.tags && ${asked.tags}`] : []),
      ],
      filters: [],
      query: asked.query,
      isExact: asked.exactMatch,
      byRelevance: options.sortBy === 'relevance',
      isDescending: options.orderBy === 'desc',
    },
    page,
  )
  const { rows, paging } = toPage(hits, page, hitKey)
  const channelIds = rows.map(({ id }) => id)
  return {
    ...(await answerChannels(ctx, channelIds)),
    ...counted,
    paging,
    search: { query: asked.query, limit: page.limit, sortBy: options.sortBy, orderBy: options.orderBy },
  }
}

/** Uses channel_pkey. */
async function answerChannels(ctx: Ctx, channelIds: string[]) {
  const found = await findChannels(ctx, {
    channels: {
      rows: sql`select * from channel c where c.channel_id = any(${listOf(channelIds)})`,
      orderBy: sql`array_position(${channelIds}, c.channel_id)`,
    },
    channelUsers: ownChannelUsers(ctx),
  })
  return toChannelEnvelope(ctx, found)
}
