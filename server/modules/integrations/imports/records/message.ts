import { z } from 'zod'
import { sql } from '#server/core/db.ts'
import { boundedString } from '#server/core/text.ts'
import {
  Content,
  Dates,
  field,
  Id,
  optional,
  otherwise,
  Responses,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind, reported, signals, tally } from '#server/modules/integrations/imports/records/record-kind.ts'

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
    tags: field.tags,
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
  effects: [
    ...reported('message'),
    signals('message'),
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
