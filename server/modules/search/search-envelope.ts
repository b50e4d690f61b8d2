import type { Ctx } from '#server/core/ctx.ts'
import { jsonOfRows, rowsOfJson } from '#server/core/database/json-rows.ts'
import { listOf, queryOne, type Sql, sql } from '#server/core/db.ts'
import { ROLE_COLUMNS, type RoleRow, toRoleView } from '#server/modules/accounts/roles/view.ts'
import {
  type GatheredNames,
  NAMED_COLUMNS,
  namedIn,
  namedTables,
} from '#server/modules/accounts/users/named-records.ts'
import { toMessagesEnvelope } from '#server/modules/content/messages/build-messages-envelope.ts'
import {
  type GatheredMessages,
  MESSAGE_FILES,
  MESSAGE_PEOPLE,
  MESSAGE_TABLES,
  messageColumns,
  messagesIn,
} from '#server/modules/content/messages/find-messages.ts'
import type { FoundMessages } from '#server/modules/search/schema.ts'
import { toChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import {
  CHANNEL_FILES,
  CHANNEL_PEOPLE,
  channelColumns,
  channelsIn,
  channelTables,
  type GatheredChannels,
} from '#server/modules/spaces/channels/find-channels.ts'

type Answer = Pick<FoundMessages, 'messages' | 'messageFeeds' | 'channels' | 'users' | 'files' | 'roles'>

/** Everything that an answer with the messages of a page refers to, as the statement gathered it that found them. */
export interface GatheredEnvelope extends GatheredMessages, GatheredChannels, GatheredNames {
  roles: Record<string, unknown>[] | null
}

/** Common table expressions and columns of `GatheredEnvelope`, for the messages in the table `page` with `id` and `position`. */
export function envelopeQuery(ctx: Ctx): { tables: Sql; columns: Sql } {
  const channels = {
    rows: sql`select * from channel where channel_id = any(array(select channel_id from found_message))`,
    orderBy: sql`c.channel_id`,
  }
  return {
    tables: sql`
      ${MESSAGE_TABLES}, ${channelTables(ctx, channels)},
      ${namedTables({ userIds: sql`${MESSAGE_PEOPLE} union all ${CHANNEL_PEOPLE}`, fileIds: sql`${MESSAGE_FILES} union all ${CHANNEL_FILES}` })}`,
    columns: sql`
      ${messageColumns(ctx)}, ${channelColumns()}, ${NAMED_COLUMNS},
      ${jsonOfRows(sql`
        select ${ROLE_COLUMNS} from role r where r.role_id = any(array(select unnest(roles) from people)) order by r.role_id`)} as roles`,
  }
}

/** Runs `envelopeQuery` for these messages, as a statement of its own. */
export function gatherEnvelope(ctx: Ctx, messageIds: string[]): Promise<GatheredEnvelope | undefined> {
  const { tables, columns } = envelopeQuery(ctx)
  return queryOne<GatheredEnvelope>(
    ctx,
    sql`
    with page as (select * from unnest(${listOf(messageIds)}) with ordinality as asked(id, position)), ${tables}
    select ${columns}`,
  )
}

/** The answer with these of the gathered messages, in the order of `messageIds`, with their channels and everything that both refer to. */
export function toSearchEnvelope(ctx: Ctx, messageIds: string[], gathered: GatheredEnvelope | undefined): Answer {
  const named = namedIn(ctx, gathered)
  const found = messagesIn(gathered)
  const messages = inOrder(found.messages, messageIds, ({ messageId }) => messageId)
  const { users: authors, files, ...answer } = toMessagesEnvelope(ctx, { ...found, ...named, messages })

  const { channels, messages: previews } = channelsIn(gathered)
  const channelIds = messages.map(({ channelId }) => channelId)
  const shown = inOrder(channels, [...new Set(channelIds)], ({ channelId }) => channelId)
  const space = toChannelEnvelope(ctx, { channels: shown, channelUsers: [], messages: previews, ...named })

  const users = distinct([...authors, ...space.users], ({ userId }) => userId)
  const roleIds = new Set(users.flatMap(({ roles }) => roles))
  return {
    ...answer,
    channels: space.channels,
    users,
    files: distinct([...files, ...space.files], ({ fileId }) => fileId),
    roles: rolesOf(gathered).filter(({ roleId }) => roleIds.has(roleId)),
  }
}

function rolesOf(gathered: GatheredEnvelope | undefined) {
  return rowsOfJson<RoleRow>(gathered?.roles, ['createdAt', 'updatedAt']).map(toRoleView)
}

/** The items of these ids, in their order. */
function inOrder<Item>(items: Item[], ids: string[], idOf: (item: Item) => string): Item[] {
  const byId = new Map(items.map((item) => [idOf(item), item]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function distinct<Item>(items: Item[], idOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()]
}
