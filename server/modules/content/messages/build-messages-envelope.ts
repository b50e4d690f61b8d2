import type { Ctx } from '#server/core/ctx.ts'
import { listOf, queryOne, type Sql, sql } from '#server/core/db.ts'
import {
  type GatheredNames,
  NAMED_COLUMNS,
  namedIn,
  namedTables,
} from '#server/modules/accounts/users/named-records.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { referencedIds, referencedUsers, type UserReferences } from '#server/modules/accounts/users/referenced-users.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import {
  type FoundMessageRows,
  type GatheredMessages,
  MESSAGE_FILES,
  MESSAGE_PEOPLE,
  MESSAGE_TABLES,
  messageColumns,
  messagesIn,
} from '#server/modules/content/messages/find-messages.ts'
import type { MessagesEnvelope } from '#server/modules/content/messages/schema.ts'
import { toFeedMessageView, toMessageFeedView } from '#server/modules/content/messages/view.ts'
import type { File } from '#server/modules/media/files/schema.ts'

/**
 * Messages that the caller may see, in the order of their ids, with their feeds, files and all users they refer to, or that the records
 * returned beside them refer to. One statement.
 */
export async function buildMessagesEnvelope(
  ctx: Ctx,
  messageIds: string[],
  alsoAnswered: UserReferences[] = [],
): Promise<MessagesEnvelope> {
  if (messageIds.length + alsoAnswered.length === 0) return { messages: [], messageFeeds: [], users: [], files: [] }
  const page = sql`page as (select * from unnest(${listOf(messageIds)}) with ordinality as asked(id, position))`
  return readEnvelope(ctx, page, alsoAnswered)
}

/**
 * The envelope of the messages in `page`, which is among these common table expressions; others of them may take the place of the tables that are
 * read.
 */
export async function readEnvelope(
  ctx: Ctx,
  tables: Sql,
  alsoAnswered: UserReferences[] = [],
): Promise<MessagesEnvelope> {
  const also = [...referencedIds(alsoAnswered).userIds]
  const found = await queryOne<GatheredMessages & GatheredNames>(
    ctx,
    sql`
    with ${tables}, ${MESSAGE_TABLES},
    ${namedTables({ userIds: sql`${MESSAGE_PEOPLE} union all select unnest(${also}::text[])`, fileIds: MESSAGE_FILES })}
    select ${messageColumns(ctx)}, ${NAMED_COLUMNS}`,
  )
  return toMessagesEnvelope(ctx, { ...messagesIn(found), ...namedIn(ctx, found) }, alsoAnswered)
}

/** The envelope of messages for published events: without anyone's own reactions. */
export function buildPublicMessagesEnvelope(ctx: Ctx, messageIds: string[]): Promise<MessagesEnvelope> {
  return buildMessagesEnvelope({ ...ctx, actor: { kind: 'nobody' } }, messageIds)
}

/** The envelope of these messages, from data that was read for them and possibly for more. */
export function toMessagesEnvelope(
  ctx: Ctx,
  { messages: rows, messageFeeds, myReactions, ...named }: FoundMessageRows & { users: User[]; files: File[] },
  alsoAnswered: UserReferences[] = [],
): MessagesEnvelope {
  const users = referencedUsers(named.users, [...rows, ...alsoAnswered])
  const attached = rows.flatMap(({ fileId, isDeleted }) => (isDeleted ? [] : (fileId ?? [])))
  const fileIds = new Set([...attached, ...avatarsOf(users)])
  const feedIds = new Set(rows.map(({ messageFeedId, mainFeedId }) => messageFeedId ?? mainFeedId))
  const feeds = new Map(messageFeeds.map((feed) => [feed.messageFeedId, feed]))
  return {
    messages: rows.map((row) => toFeedMessageView(ctx, row, { myReactions: myReactions[row.messageId] ?? [] })),
    messageFeeds: [...feeds.values()]
      .filter(({ messageFeedId }) => feedIds.has(messageFeedId))
      .map((feed) => toMessageFeedView(ctx, feed)),
    users,
    files: named.files.filter(({ fileId }) => fileIds.has(fileId)),
  }
}
