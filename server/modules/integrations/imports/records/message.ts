import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { boundedString } from '#server/core/text.ts'
import {
  Content,
  Dates,
  field,
  Id,
  optional,
  otherwise,
  Responses,
  tags,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import {
  type Row,
  recordKind,
  reported,
  signals,
  tally,
} from '#server/modules/integrations/imports/records/record-kind.ts'

const NEWEST = sql`(array_agg(message_id order by created_at desc, message_id) filter (where not is_deleted))[1]`
/** What a feed has, or what is added to it, whichever is later. */
const ofLater = (column: string) =>
  sql.raw(`case when excluded.last_message_timestamp is null or f.last_message_timestamp >= excluded.last_message_timestamp
    then f.${column} else excluded.${column} end`)

export const message = recordKind({
  stage: 3,
  table: 'message',
  id: ['message_id'],
  schema: z.object({
    messageId: Id,
    channelId: Id,
    messageFeedId: field.id,
    userId: UserId,
    parentId: field.id,
    fileId: field.id,
    dataType: otherwise('text', boundedString({ min: 1, max: 255 })),
    data: optional(Content),
    channelSegment: optional(z.int32().min(0)),
    tags: tags({ count: 10, length: 30 }),
    metadata: field.object,
    childrenNumber: field.count,
    ...Responses,
    latestReaction: field.object,
    mentionees: field.mentionees,
    isDeleted: field.flag,
    editedAt: field.time,
    ...Dates,
  }),
  names: { channelId: 'channel', userId: 'user' },
  locks: 'channelId',
  toRow: ({ dataType, ...message }) => ({ ...message, type: dataType }),
  findFaults: findForeignFeeds,
  complete: nameMainFeeds,
  effects: [
    ...reported('message'),
    signals('message'),
    sql`
      insert into message_feed as f (message_feed_id, channel_id, child_count, last_message_id, message_preview_id, last_message_timestamp,
        created_at, updated_at)
      select message_feed_id, channel_id, count(*) filter (where not is_deleted), ${NEWEST}, ${NEWEST},
        max(created_at) filter (where not is_deleted), min(created_at), min(created_at)
      from added where message_feed_id is not null group by message_feed_id, channel_id
      on conflict (message_feed_id) do update set child_count = f.child_count + excluded.child_count,
        last_message_id = ${ofLater('last_message_id')}, message_preview_id = ${ofLater('message_preview_id')},
        last_message_timestamp = greatest(f.last_message_timestamp, excluded.last_message_timestamp)`,
    sql`
      insert into message_numbering (channel_id, from_at, upto_at)
      select channel_id, min(created_at), max(created_at) from added where channel_segment is null group by channel_id
      on conflict (channel_id) do update set
        from_id = case when excluded.from_at > message_numbering.from_at then message_numbering.from_id end,
        from_at = least(message_numbering.from_at, excluded.from_at),
        upto_at = greatest(message_numbering.upto_at, excluded.upto_at), added_at = default`,
    tally('channel_messages', { by: 'channel_id', where: 'not is_deleted' }),
    sql`
      update channel c
      set last_message_at = greatest(c.last_message_at, newest.at), last_activity = greatest(c.last_activity, newest.at)
      from (select channel_id, max(created_at) as at from added where not is_deleted group by channel_id) newest
      where c.channel_id = newest.channel_id`,
  ],
})

/** A message in a feed of another channel would be in no feed that anybody reads. */
async function findForeignFeeds(ctx: Ctx, rows: Row[]): Promise<Map<Row, string>> {
  const feedIds = rows.flatMap(({ messageFeedId }) => messageFeedId ?? [])
  if (feedIds.length === 0) return new Map()
  const feeds = await query<{ messageFeedId: string; channelId: string }>(
    ctx,
    sql`
    select message_feed_id, channel_id from message_feed where message_feed_id = any(${feedIds}::text[])
    union all select channel_id, channel_id from channel where channel_id = any(${feedIds}::text[])
    union all select internal_id, channel_id from channel where internal_id = any(${feedIds}::text[])`,
  )
  const channels = new Map(feeds.map(({ messageFeedId, channelId }) => [messageFeedId, channelId]))
  const faults = new Map<Row, string>()
  for (const row of rows) {
    const { messageFeedId, channelId } = row
    if (messageFeedId === null) continue
    const owner = channels.get(String(messageFeedId)) ?? String(channelId)
    channels.set(String(messageFeedId), owner)
    if (owner !== channelId) faults.set(row, `messageFeedId: Belongs to channel ${JSON.stringify(owner)}`)
  }
  return faults
}

/** The main feed of a channel, by either of its ids, is that of messages without a feed. */
async function nameMainFeeds(ctx: Ctx, rows: Row[]): Promise<Row[]> {
  const inFeeds = rows.filter(({ messageFeedId }) => messageFeedId !== null)
  if (inFeeds.length === 0) return rows
  const channels = await query<{ channelId: string; internalId: string }>(
    ctx,
    sql`select channel_id, internal_id from channel where channel_id = any(${inFeeds.map(({ channelId }) => channelId)}::text[])`,
  )
  const internalIds = new Map(channels.map(({ channelId, internalId }) => [channelId, internalId]))
  return rows.map((row) => {
    const { messageFeedId, channelId } = row
    const isMain = messageFeedId === channelId || messageFeedId === internalIds.get(String(channelId))
    return isMain ? { ...row, messageFeedId: null } : row
  })
}
