import { z } from 'zod'
import { ResourceId, text } from '#server/core/text.ts'
import { ListOptions, listOf, Paging, QueryFlag } from '#server/core/wire/schema.ts'
import { Role } from '#server/modules/accounts/roles/schema.ts'
import { User } from '#server/modules/accounts/users/schema.ts'
import { Message, MessageFeed } from '#server/modules/content/messages/schema.ts'
import { File } from '#server/modules/media/files/schema.ts'
import { Channel, ChannelEnvelope, ChannelType } from '#server/modules/spaces/channels/schema.ts'

/** The search terms, separated by spaces, each taken literally. */
const Keyword = text({ min: 1, max: 1_024 })
const Way = z.enum(['desc', 'asc'])

function distinct<Item extends z.ZodType>(item: Item, limits: { max: number }) {
  return listOf(item, limits).refine((items) => new Set(items).size === items.length, 'must not contain duplicates')
}

/** Parameters of docs/interface/search.md#search-messages. By default 20 per page. */
export const SearchMessagesQuery = z.object({
  query: Keyword,
  /** Matches the exact query, not inside longer words; otherwise words that begin with its terms match too. */
  exactMatch: QueryFlag.default(false),
  channelId: ResourceId.optional(),
  messageFeedId: ResourceId.optional(),
  /** Public ids of the authors. */
  userIds: listOf(ResourceId, { min: 1, max: 10 }).optional(),
  types: distinct(z.enum(['text', 'image', 'video', 'audio', 'file']), { max: 10 }).default(['text']),
  /** One of these. */
  tags: distinct(text({ min: 1, max: 30 }), { max: 10 }).optional(),
  options: ListOptions.unwrap()
    .extend({ orderBy: Way.default('desc'), sortBy: z.enum(['createdAt', 'relevance']).default('createdAt') })
    .prefault({}),
})
export type SearchMessagesQuery = z.output<typeof SearchMessagesQuery>

/** Parameters of docs/interface/search.md#search-channels. By default 20 per page. */
export const SearchChannelsQuery = z.object({
  query: Keyword,
  exactMatch: QueryFlag.default(false),
  /** Only channels that the caller is a member of. */
  isMemberOnly: QueryFlag.default(false),
  types: listOf(ChannelType, { max: 10 }).optional(),
  /** One of these. */
  tags: listOf(text({ max: 100 }), { max: 10 }).optional(),
  options: ListOptions.unwrap()
    .extend({ orderBy: Way.default('desc'), sortBy: z.enum(['lastActivity', 'relevance']).default('relevance') })
    .prefault({}),
})
export type SearchChannelsQuery = z.output<typeof SearchChannelsQuery>

const Found = {
  /** Exact up to 10,000; above that it is 10,000, and `totalCountIsLowerBound` is set. */
  totalCount: z.int(),
  totalCountIsLowerBound: z.literal(true).optional(),
  paging: Paging,
  /** The query as the server understood it. */
  search: z.object({ query: z.string(), limit: z.int(), sortBy: z.string(), orderBy: z.string() }),
}

/** The `data` of docs/interface/search.md#response, for messages. */
export const FoundMessages = z
  .object({
    messages: z.array(Message),
    messageFeeds: z.array(MessageFeed),
    channels: z.array(Channel),
    users: z.array(User),
    files: z.array(File),
    roles: z.array(Role),
    ...Found,
  })
  .meta({ id: 'FoundMessages' })
export type FoundMessages = z.output<typeof FoundMessages>

/** The `data` of docs/interface/search.md#response, for channels. */
export const FoundChannels = ChannelEnvelope.extend(Found).meta({ id: 'FoundChannels' })
export type FoundChannels = z.output<typeof FoundChannels>
