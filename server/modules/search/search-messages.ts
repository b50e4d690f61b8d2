import type { Ctx } from '#server/core/ctx.ts'
import { type Paging, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { InstantRange } from '#server/core/time.ts'
import { findHits, type Hits } from '#server/modules/search/find-hits.ts'
import { hitKey } from '#server/modules/search/hit-key.ts'
import type { FoundMessages, SearchMessagesQuery } from '#server/modules/search/schema.ts'
import type { Filter, Search } from '#server/modules/search/search.ts'
import { envelopeQuery, gatherEnvelope, toSearchEnvelope } from '#server/modules/search/search-envelope.ts'
import { findSearchSpace, inChannelsFound, withinReach } from '#server/modules/search/search-scope.ts'

const MESSAGES_A_PAGE = 20

const LEVELS = [...'abcdefghijklmnopqrstu']

/** Worded exactly as the index message_text is; its tokens are on these levels. */
const MESSAGES = {
  table: sql`message`,
  alias: sql`m`,
  id: sql`m.message_id`,
  text: sql`(m.data ->> 'text')`,
  words: sql`m.words`,
  at: sql`m.created_at`,
  tie: sql`m.internal_id`,
  tokens: sql`message_tokens(m.created_at, m.channel_id, m.message_feed_id, m.user_id, m.type, m.tags, m.words)`,
  levels: LEVELS,
  /** One in 4,096 messages. */
  sampledLevels: LEVELS.slice(0, 9),
}

/**
 * docs/interface/search.md#search-messages: messages with these words in channels the caller may read, none deleted. Fails as
 * `findSearchSpace` does.
 */
export async function searchMessages(ctx: Ctx, { options, ...asked }: SearchMessagesQuery): Promise<FoundMessages> {
  const { messageIds, limit, gathered, ...counted } = await findMessages(ctx, {
    ...asked,
    options,
    answer: envelopeQuery(ctx),
  })
  const isGathered = gathered !== undefined || messageIds.length === 0
  return {
    ...toSearchEnvelope(ctx, messageIds, isGathered ? gathered : await gatherEnvelope(ctx, messageIds)),
    ...counted,
    search: { query: asked.query, limit, sortBy: options.sortBy, orderBy: options.orderBy },
  }
}

/** Beyond the public interface: any type if `types` is absent, and only messages written in one of these ranges. */
interface MessagesAsked extends Omit<SearchMessagesQuery, 'types'> {
  types?: string[] | undefined
  written?: InstantRange[] | undefined
  /** What to read with the messages in the same statement, where that is possible. */
  answer?: Search['answer']
}

interface FoundIds extends Omit<Hits, 'hits'> {
  messageIds: string[]
  limit: number
  paging: Paging
}

/** The ids of one page of messages. Fails as `searchMessages` does. */
export async function findMessages(ctx: Ctx, { options, answer, ...asked }: MessagesAsked): Promise<FoundIds> {
  const page = readPageRequest(options, MESSAGES_A_PAGE)
  const place = await findSearchSpace(ctx, asked)
  const { hits, ...counted } = await findHits(
    ctx,
    {
      ...MESSAGES,
      join: sql.empty,
      conditions: [
        inChannelsFound(ctx),
        ...(asked.types ? [isOfType(asked.types)] : []),
        ...(asked.written ? [wasWritten(asked.written)] : []),
      ],
      filters: [...place, ...filtersOf(asked)],
      reach: place.length > 0 ? undefined : withinReach(ctx),
      answer,
      query: asked.query,
      isExact: asked.exactMatch,
      byRelevance: options.sortBy === 'relevance',
      isDescending: options.orderBy === 'desc',
    },
    page,
  )
  const { rows, paging } = toPage(hits, page, hitKey)
  return { messageIds: rows.map(({ id }) => id), limit: page.limit, ...counted, paging }
}

/** Whether `message m` was written in one of these ranges. */
export function wasWritten(ranges: InstantRange[]): Sql {
  const conditions = ranges.map(
    ({ from, before }) => sql`
      (${from ? sql`m.created_at >= ${from}` : sql`true`} and ${before ? sql`m.created_at < ${before}` : sql`true`})`,
  )
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, ' or ')})`
}

/** Most messages are text: looking up that type in the index takes longer than checking the rows. */
function filtersOf({ userIds, types, tags }: Omit<MessagesAsked, 'options'>): Filter[] {
  return [
    ...(userIds ? [byAuthors(userIds)] : []),
    ...(types === undefined || types.includes('text') ? [] : [ofTypes(types)]),
    ...(tags ? [withTags(tags)] : []),
  ]
}

function byAuthors(userIds: string[]): Filter {
  const [userId, ...others] = userIds
  const isOne = others.length === 0
  return {
    kind: 'user',
    values: userIds,
    condition: isOne ? sql`m.user_id = ${userId}` : sql`m.user_id = any(${userIds})`,
    index: isOne ? 'inOrder' : 'unordered',
  }
}

function ofTypes(types: string[]): Filter {
  return { kind: 'type', values: types, condition: isOfType(types) }
}

/** Comparing one value takes half as long as reading a list, and this runs for each row. */
function isOfType(types: string[]): Sql {
  const [type, ...others] = types
  return others.length === 0 ? sql`m.type = ${type}` : sql`m.type = any(${types})`
}

function withTags(tags: string[]): Filter {
  return { kind: 'tag', values: tags, condition: sql`m.tags && ${tags}` }
}
