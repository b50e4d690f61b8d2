import type { Ctx } from '#server/core/ctx.ts'
import { type ListOrder, type Paging, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { containsFolded } from '#server/core/database/like.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { excerptOf, LONG_EXCERPT_LENGTH, matchOf } from '#server/core/excerpt.ts'
import { daysRange, type InstantRange } from '#server/core/time.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { requireOpen } from '#server/modules/desk/messages/open-conversation.ts'
import { readDeskMessages } from '#server/modules/desk/messages/read-messages.ts'
import type { DeskMessage, DeskMessages, DeskMessagesInput } from '#server/modules/desk/messages/schema.ts'
import { findMessages, wasWritten } from '#server/modules/search/search-messages.ts'
import { inChannelsFound } from '#server/modules/search/search-scope.ts'

/**
 * The messages in channels that the caller may read, by words and the other criteria; without words by time, latest first. Conversations
 * are left out, except for a requested one that was opened. Fails as `requireOpen` does, and with INVALID_PARAMETERS without any criterion
 * to search by.
 */
export async function searchDeskMessages(ctx: Ctx, input: DeskMessagesInput): Promise<DeskMessages> {
  const { channelId, userIds } = input
  const words = input.query.trim()
  const space = channelId === undefined ? undefined : await requireOpen(ctx, channelId)
  if (words === '' && channelId === undefined && userIds === undefined) {
    throw new DomainError('INVALID_PARAMETERS', { detail: ['query: required unless a channel or an author is given'] })
  }
  const written = input.startDate || input.endDate ? daysRange(daysOf(input)) : undefined
  const isSearched = words !== '' && space?.isConversation !== true
  const { messageIds, paging, found } = isSearched
    ? await searched(ctx, { ...input, query: words, written })
    : await listed(ctx, { ...input, query: words, written, isConversation: space?.isConversation === true })
  return {
    messages: (await readDeskMessages(ctx, messageIds)).map((message) => asHit(message, words)),
    ...(found && { found }),
    ...(paging.next !== undefined && { next: paging.next }),
    ...(paging.prev !== undefined && { previous: paging.prev }),
  }
}

/** A message as a result of a search, with the part of its text that a line or two show. */
function asHit(message: DeskMessage, words: string): DeskMessage {
  const { text } = message
  return { ...message, text: (words && matchOf(text, words)) || (excerptOf(text, LONG_EXCERPT_LENGTH) ?? '') }
}

function daysOf({ startDate, endDate, timeZone }: DeskMessagesInput) {
  return { timeZone, ...(startDate && { startDate }), ...(endDate && { endDate }) }
}

interface Asked extends DeskMessagesInput {
  written: InstantRange[] | undefined
}

interface Listed {
  messageIds: string[]
  paging: Paging
  found?: { count: number; isLowerBound: boolean }
}

async function searched(ctx: Ctx, { isExact, cursor, limit, sortBy, written, ...asked }: Asked): Promise<Listed> {
  const { messageIds, paging, totalCount, totalCountIsLowerBound } = await findMessages(ctx, {
    ...asked,
    exactMatch: isExact,
    written,
    options: { limit, token: cursor, sortBy, orderBy: 'desc' },
  })
  return { messageIds, paging, found: { count: totalCount, isLowerBound: totalCountIsLowerBound === true } }
}

const LATEST_FIRST: ListOrder = {
  first: { column: sql`m.created_at`, isDescending: true, type: 'timestamptz' },
  tie: { column: sql`m.message_id`, isDescending: false },
}

/** Along message_in_channel or message_of_author. An opened conversation is short: its rows are searched for the words. */
async function listed(ctx: Ctx, asked: Asked & { isConversation: boolean }): Promise<Listed> {
  const { channelId, userIds, types, tags, written, isConversation, query: words } = asked
  const page = readPageRequest({ token: asked.cursor }, asked.limit)
  const clauses = pageClauses(LATEST_FIRST, { ...page, limit: asked.limit })
  const conditions = [
    clauses.where,
    ...(isConversation ? [] : [inChannelsFound(ctx)]),
    sql`not m.is_deleted`,
    ...(channelId === undefined ? [] : [sql`m.channel_id = ${channelId} ${NO_PREPARE}`]),
    ...(userIds === undefined ? [] : [sql`m.user_id = any(${userIds}) ${NO_PREPARE}`]),
    ...(types === undefined ? [] : [sql`m.type = any(${types})`]),
    ...(tags === undefined ? [] : [sql`m.tags && ${tags}`]),
    ...(words === '' ? [] : [containsFolded(sql`m.data ->> 'text'`, words)]),
    ...(written === undefined ? [] : [wasWritten(written)]),
  ]
  const found = await query<{ messageId: string; createdAt: Date }>(
    ctx,
    sql`
    select m.message_id, m.created_at from message m
    where ${sql.join(conditions, ' and ')} order by ${clauses.orderBy} ${clauses.limit}`,
  )
  const { rows, paging } = toPage(found, { ...page, limit: asked.limit }, (row) => [
    timestampOf(row.createdAt),
    row.messageId,
  ])
  return { messageIds: rows.map(({ messageId }) => messageId), paging }
}
