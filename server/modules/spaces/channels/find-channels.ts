import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { jsonOfRows, rowsOfJson } from '#server/core/database/json-rows.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import {
  type GatheredNames,
  NAMED_COLUMNS,
  namedIn,
  namedTables,
} from '#server/modules/accounts/users/named-records.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import { mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import {
  CHANNEL_COLUMNS,
  CHANNEL_USER_COLUMNS,
  type ChannelRow,
  type ChannelUserRow,
  PREVIEW_COLUMNS,
  type PreviewRow,
} from '#server/modules/spaces/channels/view.ts'

/** A channel, and whether the caller may read its messages. */
export type SeenChannel = ChannelRow & { isReadable: boolean }

/** Channels and some of their users, each in the order of their page, with all that both refer to; possibly with more. */
export interface FoundChannels<More = unknown> {
  channels: (SeenChannel & More)[]
  channelUsers: ChannelUserRow[]
  /** The last and the pinned messages of channels that the caller may read. */
  messages: PreviewRow[]
  users: User[]
  files: File[]
}

/** Rows of one table under its alias, and their order. */
export interface OrderedRows {
  rows: Sql
  orderBy: Sql
}

interface Finding {
  /** Rows of `channel c`, within the caller's scope. */
  channels: OrderedRows
  /** Rows of `channel_user cu` in the channels of `channel_page`. */
  channelUsers: OrderedRows
  /** Further columns of a channel `c`. */
  more?: Sql
}

/** Reads channels, these of their users and all that both refer to in one statement. */
export async function findChannels<More = unknown>(
  ctx: Ctx,
  { channels, channelUsers, more = sql.empty }: Finding,
): Promise<FoundChannels<More>> {
  const found = await queryOne<Gathered>(
    ctx,
    sql`
    with ${channelTables(ctx, channels)},
    member as materialized (
      select cu.*, row_number() over (order by ${channelUsers.orderBy}) as position from (${channelUsers.rows}) cu),
    ${namedTables({ userIds: sql`select user_id from member union all ${CHANNEL_PEOPLE}`, fileIds: CHANNEL_FILES })}
    select ${channelColumns(more)},
      ${jsonOfRows(sql`
        select ${CHANNEL_USER_COLUMNS}
        from member cu join channel_page c on c.channel_id = cu.channel_id
        cross join lateral (select u.internal_id from network_user u where u.user_id = cu.user_id offset 0) u
        order by cu.position`)} as channel_users, ${NAMED_COLUMNS}`,
  )
  return {
    ...channelsIn<More>(found),
    channelUsers: rowsOfJson<ChannelUserRow>(found?.channelUsers, [...MADE, 'lastActivity', 'muteTimeout']),
    ...namedIn(ctx, found),
  }
}

interface Gathered extends GatheredChannels, GatheredNames {
  channelUsers: Json
}

type Json = Record<string, unknown>[] | null
const MADE = ['createdAt', 'updatedAt'] as const

/** What `channelColumns` selects. */
export interface GatheredChannels {
  channels: Json
  previews: Json
}

/** The channels of a page, and those of their messages that the caller sees. */
export function channelTables(ctx: Ctx, { rows, orderBy }: OrderedRows): Sql {
  return sql`
    channel_page as materialized (
      select c.*, row_number() over (order by ${orderBy}) as position, ${mayReadChannel(ctx)} as is_readable from (${rows}) c),
    ${PREVIEW_TABLE}`
}

/** The last and the pinned messages of channels in `channel_page` that the caller may read. Uses message_pkey and message_feed_pkey. */
export const PREVIEW_TABLE = sql`
    preview as materialized (
      select shown.* from channel_page c cross join lateral (
        select ${PREVIEW_COLUMNS}
        from message m left join message_feed f on f.message_feed_id = coalesce(m.message_feed_id, c.internal_id)
        where m.message_id = any(array[c.message_preview_id, c.pinned_message_id]) and m.channel_id = c.channel_id offset 0) shown
      where c.is_readable)`

/** Everyone whom the rows of `channelTables` refer to. */
export const CHANNEL_PEOPLE = sql`select creator_id from preview union all select pinned_by from channel_page where is_readable`

export const CHANNEL_FILES = sql`
  select avatar_file_id from channel_page union all select file_id from preview where not is_deleted`

export function channelColumns(more = sql.empty): Sql {
  return sql`
    ${jsonOfRows(sql`select ${CHANNEL_COLUMNS}, c.is_readable ${more} from channel_page c order by c.position`)} as channels,
    ${jsonOfRows(sql`select * from preview`)} as previews`
}

export function channelsIn<More>(
  found: GatheredChannels | undefined,
): Pick<FoundChannels<More>, 'channels' | 'messages'> {
  return {
    channels: rowsOfJson<SeenChannel & More>(found?.channels, [
      ...MADE,
      'lastActivity',
      'lastMessageAt',
      'muteTimeout',
      'rateLimitTimeout',
      'pinnedAt',
    ]),
    messages: previewsIn(found),
  }
}

export function previewsIn(found: Pick<GatheredChannels, 'previews'> | null | undefined): PreviewRow[] {
  return rowsOfJson<PreviewRow>(found?.previews, [...MADE, 'feedCreatedAt', 'feedUpdatedAt'])
}

/** The caller, and in conversations all members (docs/interface/channels.md#channel-envelope). Uses channel_user_pkey. */
export function ownChannelUsers(ctx: Ctx): OrderedRows {
  const isOwn = sql`own.user_id = ${actingUserId(ctx) ?? null}`
  const ofChannels = (isShown: Sql) => sql`
    select cu.* from channel_page c
    cross join lateral (select * from channel_user own where own.channel_id = c.channel_id and ${isShown} offset 0) cu`
  return {
    rows: sql`
      ${ofChannels(isOwn)} where c.type <> 'conversation'
      union all
      ${ofChannels(sql`(${isOwn} or own.membership = 'member' and not own.is_deleted)`)} where c.type = 'conversation'`,
    orderBy: sql`cu.channel_id, cu.user_id`,
  }
}
