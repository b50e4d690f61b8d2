import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { mayInChannel } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import { mayModerateMessages } from '#server/modules/content/messages/lock-message.ts'
import type { DeskMessage } from '#server/modules/desk/messages/schema.ts'
import { mayMute } from '#server/modules/spaces/sanctions/may-mute.ts'

interface Row {
  messageId: string
  channelId: string
  channelName: string
  isConversation: boolean
  userId: string
  authorName: string
  isBannedHere: boolean
  kind: string
  data: Record<string, unknown> | null
  at: Date
  isEdited: boolean
  isDeleted: boolean
  tags: string[]
  flagCount: number
  reportVersion: number | null
  mayModerate: boolean
  mayBan: boolean
  mayMute: boolean
}

/** Messages that the caller may read, in the order of their ids, whole, with the actions available on them. Uses message_pkey. */
export async function readDeskMessages(ctx: Ctx, messageIds: string[]): Promise<DeskMessage[]> {
  if (messageIds.length === 0) return []
  const channel = sql`c.channel_id`
  const author = sql`m.user_id`
  const rows = await query<Row>(
    ctx,
    sql`
    select m.message_id, c.channel_id, coalesce(nullif(c.display_name, ''), c.channel_id) as channel_name,
      c.type = 'conversation' as is_conversation, u.user_id, coalesce(nullif(u.display_name, ''), u.user_id) as author_name,
      coalesce(cu.membership = 'banned', false) as is_banned_here, m.type as kind, m.data, m.created_at as at,
      m.edited_at is not null as is_edited, m.is_deleted, m.tags, m.flag_count,
      r.version as report_version, ${mayModerateMessages(ctx)} as may_moderate,
      (not c.is_deleted and ${mayInChannel(ctx, 'banMembers', channel)} and ${author} is distinct from ${actingUserId(ctx) ?? null}
        and ${outranks(ctx, author, { channelId: channel })}) as may_ban,
      (not c.is_deleted and ${mayMute(ctx, author, { channelId: channel })}) as may_mute
    from message m join channel c on c.channel_id = m.channel_id join network_user u on u.user_id = m.user_id
    left join channel_user cu on cu.channel_id = m.channel_id and cu.user_id = m.user_id
    left join review_item r on r.subject_type = 'message' and r.subject_id = m.message_id and r.kind = 'reported' and r.state = 'waiting'
    where m.message_id = any(${messageIds}) order by array_position(${messageIds}, m.message_id)`,
  )
  return rows.map(toDeskMessage)
}

function toDeskMessage(row: Row): DeskMessage {
  const { channelId, userId, reportVersion, isBannedHere, isDeleted, mayModerate } = row
  return {
    messageId: row.messageId,
    channel: { channelId, displayName: row.channelName, isConversation: row.isConversation },
    author: { userId, displayName: row.authorName, isBannedHere },
    kind: row.kind,
    text: isDeleted ? '' : textOf(row),
    at: timestampOf(row.at),
    isEdited: row.isEdited,
    isDeleted,
    tags: row.tags,
    flagCount: row.flagCount,
    ...(reportVersion !== null && { reportVersion }),
    may: {
      delete: mayModerate && !isDeleted,
      clearFlags: mayModerate && reportVersion !== null,
      ban: row.mayBan && !isBannedHere,
      mute: row.mayMute,
    },
  }
}
