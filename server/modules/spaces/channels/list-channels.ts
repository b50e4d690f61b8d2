import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type ListKey, type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { containsFolded } from '#server/core/database/like.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds, mayInChannel } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { toChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { findChannels, ownChannelUsers, type SeenChannel } from '#server/modules/spaces/channels/find-channels.ts'
import type { ChannelPage, ChannelSort, ChannelsQuery } from '#server/modules/spaces/channels/schema.ts'

const CHANNELS_A_PAGE = 10

/** Besides the request's own filters: only channels `c` that meet this condition, and a keyword that may be an id or its beginning. */
interface Narrowed {
  within?: Sql
  searchesIds?: boolean
}

/**
 * The channels that the caller may see, a page at a time. Fails with FORBIDDEN where someone without VIEW_CHANNELS asks for the channels of
 * another person.
 */
export async function listChannels(ctx: Ctx, { options, ...asked }: ChannelsQuery & Narrowed): Promise<ChannelPage> {
  const userId = asked.userId ?? actingUserId(ctx)
  if (userId !== actingUserId(ctx) && !holds(ctx, 'VIEW_CHANNELS')) throw new DomainError('FORBIDDEN')

  const page = readPageRequest(options, CHANNELS_A_PAGE)
  const clauses = pageClauses(ORDERS[asked.sortBy], page)
  // channel_by_activity, channel_newest or channel_by_name in their order; with a keyword, channel_name_part.
  const found = await findChannels<{ sortName: string }>(ctx, {
    channels: {
      rows: sql`
        select c.* from channel c
        where ${sql.join([mayKnowChannel(ctx), clauses.where, ...conditions(ctx, asked, userId)], ' and ')}
        order by ${clauses.orderBy} ${clauses.limit}`,
      orderBy: clauses.orderBy,
    },
    channelUsers: ownChannelUsers(ctx),
    more: sql`, ${SORT_NAME} as sort_name`,
  })
  const { rows: channels, paging } = toPage(found.channels, page, (row) => positionOf(asked.sortBy, row))
  const listed = new Set(channels.map(({ channelId }) => channelId))
  const channelUsers = found.channelUsers.filter(({ channelId }) => listed.has(channelId))
  const envelope = toChannelEnvelope(ctx, { ...found, channels, channelUsers })
  return { ...envelope, paging }
}

/** Truncated, so that the position of any channel fits into a token. */
const SORT_NAME = sql`lower(left(coalesce(c.display_name, c.channel_id), 80))`
const BY_ID = { column: sql`c.internal_id`, isDescending: false }
const ORDERS: Record<ChannelSort, ListOrder> = {
  lastActivity: { first: { column: sql`c.last_activity`, isDescending: true, type: 'timestamptz' }, tie: BY_ID },
  lastCreated: { first: { column: sql`c.created_at`, isDescending: true, type: 'timestamptz' }, tie: BY_ID },
  firstCreated: {
    first: { column: sql`c.created_at`, isDescending: false, type: 'timestamptz' },
    tie: { ...BY_ID, isDescending: true },
  },
  displayName: { first: { column: SORT_NAME, isDescending: false, type: 'text' }, tie: BY_ID },
}

function positionOf(sortBy: ChannelSort, row: SeenChannel & { sortName: string }): ListKey {
  const firsts: Record<ChannelSort, string> = {
    lastActivity: timestampOf(row.lastActivity),
    lastCreated: timestampOf(row.createdAt),
    firstCreated: timestampOf(row.createdAt),
    displayName: row.sortName,
  }
  return [firsts[sortBy], row.internalId]
}

function conditions(ctx: Ctx, asked: Omit<ChannelsQuery, 'options'> & Narrowed, userId: string | undefined): Sql[] {
  const isMember = sql`exists (
    select from channel_user cu
    where cu.channel_id = c.channel_id and cu.user_id = ${userId ?? null} and cu.membership = 'member' and not cu.is_deleted) ${NO_PREPARE}`
  const filters: Record<ChannelsQuery['filter'], Sql[]> = {
    all: [],
    member: [isMember],
    notMember: [sql`not ${isMember}`],
    // Only those who can act on reports see who was reported. Uses message_flagged.
    flagged: [
      mayInChannel(ctx, 'deleteMessages', sql`c.channel_id`),
      sql`exists (select from message m where m.channel_id = c.channel_id and m.flag_count > 0 and not m.is_deleted)`,
    ],
  }
  const { keyword, types = [], tags = [], excludeTags = [], isDeleted, within, searchesIds } = asked
  return [
    ...filters[asked.filter],
    ...(within ? [within] : []),
    ...(keyword ? [sql`(${named(keyword)} ${searchesIds ? isOfId(keyword) : sql.empty}) ${NO_PREPARE}`] : []),
    ...(types.length > 0 ? [sql`c.type = any(${types}::channel_type[])`] : []),
    ...(tags.length > 0 ? [sql`c.tags && ${tags}`] : []),
    ...(excludeTags.length > 0 ? [sql`not c.tags && ${excludeTags}`] : []),
    ...(isDeleted === undefined ? [] : [sql`c.is_deleted = ${isDeleted}`]),
  ]
}

const named = (keyword: string) => containsFolded(sql`c.display_name`, keyword)
/** Uses channel_pkey. */
const isOfId = (keyword: string) =>
  sql`or c.channel_id >= ${keyword} and c.channel_id < ${keyword} || chr(1114111) and starts_with(c.channel_id, ${keyword})`
