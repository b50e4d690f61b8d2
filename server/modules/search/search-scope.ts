import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { hasFeed, isMainFeed, notReadable, storedFeedId } from '#server/modules/content/messages/feed-scope.ts'
import type { Filter, Reach } from '#server/modules/search/search.ts'
import { mayKnowChannel, mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'

/** Whether search may show the caller `channel c`: what they may see, except conversations in admin context and at the desk. */
export function mayFind(ctx: Ctx): Sql {
  return findsConversations(ctx) ? mayKnowChannel(ctx) : outsideConversations(mayKnowChannel(ctx))
}

/**
 * Whether search may show the caller messages in `channel c`: what they can read anyway, except that conversations follow
 * `mayFind`.
 */
function mayFindSaid(ctx: Ctx): Sql {
  return findsConversations(ctx) ? mayReadChannel(ctx) : outsideConversations(mayReadChannel(ctx))
}

function findsConversations({ actor, source }: Ctx): boolean {
  return actor.kind === 'user' && source !== 'desk'
}

function outsideConversations(condition: Sql): Sql {
  return sql`(c.type <> 'conversation' and ${condition})`
}

/** Up to this many channels are read together; with more, each matching message's channel is looked up. */
const CHANNELS_READ = 5_000

/**
 * Whether search may show the caller `message m`, by its channel, as an SQL condition. A subquery beside the row's other conditions takes
 * half as long as a join.
 */
export function inChannelsFound(ctx: Ctx): Sql {
  const mayShow = sql`not c.is_deleted and ${mayFindSaid(ctx)}`
  return sql`(
    case when (select count(*) <= ${CHANNELS_READ} from (select from channel ${sql.raw(`limit ${CHANNELS_READ + 1}`)}) as channel)
      then m.channel_id in (select c.channel_id from channel c where ${mayShow} offset 0)
      else (select ${mayShow} from channel c where c.channel_id = m.channel_id) end)`
}

/**
 * The channel or feed that a search is narrowed to. NOT_FOUND for one the caller may not see; for one they may,
 * NOT_CHANNEL_MEMBER for a user who is not in it (docs/interface/search.md#search-messages), FORBIDDEN for staff without access
 * to it.
 */
export async function findSearchSpace(
  ctx: Ctx,
  { channelId, messageFeedId }: { channelId?: string | undefined; messageFeedId?: string | undefined },
): Promise<Filter[]> {
  if (channelId === undefined && messageFeedId === undefined) return []
  const isHere = [
    ...(channelId === undefined ? [] : [sql`c.channel_id = ${channelId}`]),
    ...(messageFeedId === undefined ? [] : [hasFeed(messageFeedId)]),
  ]
  const place = await queryOne<SearchSpace>(
    ctx,
    sql`
    select c.channel_id, ${messageFeedId === undefined ? NO_FEED : feedColumns(messageFeedId)}, ${mayFindSaid(ctx)} as is_readable
    from channel c where ${sql.join(isHere, ' and ')} and ${mayFind(ctx)}`,
  )
  if (!place?.isReadable) throw place === undefined ? new DomainError('NOT_FOUND') : notReadable(ctx)
  return [
    inChannel(place.channelId),
    ...(place.messageFeedId === null ? [] : [inFeed(place.messageFeedId, place.isMain)]),
  ]
}

interface SearchSpace {
  channelId: string
  messageFeedId: string | null
  isMain: boolean
  isReadable: boolean
}

const NO_FEED = sql`null as message_feed_id, false as is_main`

const feedColumns = (messageFeedId: string) =>
  sql`${storedFeedId(messageFeedId)} as message_feed_id, ${isMainFeed(messageFeedId)} as is_main`

function inChannel(channelId: string): Filter {
  return {
    kind: 'channel',
    values: [channelId],
    condition: sql`m.channel_id = ${channelId}`,
    index: 'inOrder',
  }
}

/** A message without a feed is in its channel's main feed. */
function inFeed(messageFeedId: string, isMain: boolean): Filter {
  const here = sql`m.message_feed_id = ${messageFeedId}`
  return isMain
    ? { kind: 'feed', values: ['', messageFeedId], condition: sql`(m.message_feed_id is null or ${here})` }
    : { kind: 'feed', values: [messageFeedId], condition: here }
}

/** The most channels that are looked up in the index. */
const CHANNELS_NAMED = 200

/**
 * The channels in which a user can find messages, if they are few, so that the index does not read messages of other channels.
 * This only narrows the search; `mayFindSaid` decides what the caller may see. Uses channel_user_user_id_idx.
 */
export function withinReach({ actor }: Ctx): Reach | undefined {
  if (actor.kind !== 'user') return undefined
  return {
    values: sql`(
      select case when count(*) <= ${CHANNELS_NAMED} then coalesce(array_agg(own.channel_id), '{}') end
      from (
        select channel_id from channel_user
        where user_id = ${actor.userId} and membership = 'member' and not is_deleted ${sql.raw(`limit ${CHANNELS_NAMED + 1}`)}) own)`,
    toFilter: (channelIds) => ({
      kind: 'channel',
      values: channelIds,
      condition: sql`m.channel_id = any(${channelIds})`,
      index: 'unordered',
    }),
  }
}
