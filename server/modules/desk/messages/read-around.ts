import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { requireOpen } from '#server/modules/desk/messages/open-conversation.ts'
import { readDeskMessages } from '#server/modules/desk/messages/read-messages.ts'
import type { AroundInput, MessageAround } from '#server/modules/desk/messages/schema.ts'
import { readFlags } from '#server/modules/review/items/read-record.ts'

/** A message, who flagged it, and the messages before and after it in its feed, deleted ones included. Fails as `requireOpen` does. */
export async function readMessageAround(ctx: Ctx, { messageId, span }: AroundInput): Promise<MessageAround> {
  const stored = await queryOne<{ channelId: string }>(
    ctx,
    sql`select m.channel_id from message m where m.message_id = ${messageId}`,
  )
  if (stored === undefined) throw new DomainError('NOT_FOUND')
  await requireOpen(ctx, stored.channelId)

  const [ids, flags] = await Promise.all([
    readNeighbours(ctx, messageId, span),
    readFlags(ctx, { subjectType: 'message', subjectId: messageId }),
  ])
  const [before, after] = [ids.before.slice(0, span).toReversed(), ids.after.slice(0, span)]
  const said = await readDeskMessages(ctx, [...before, messageId, ...after])
  const [message] = said.slice(before.length)
  if (message === undefined) throw new DomainError('NOT_FOUND')
  return {
    message,
    before: said.slice(0, before.length),
    after: said.slice(before.length + 1),
    hasMoreBefore: ids.before.length > span,
    hasMoreAfter: ids.after.length > span,
    flags,
  }
}

/** One more in each direction than is shown, the nearest first. Uses message_in_channel. */
async function readNeighbours(ctx: Ctx, messageId: string, span: number) {
  const nearest = sql.raw(`limit ${Math.trunc(span) + 1}`)
  const side = (isBefore: boolean, where: Sql, order: Sql) => sql`(
    select ${sql.raw(String(isBefore))} as is_before, m.message_id from message m
    where m.channel_id = hit.channel_id and m.message_feed_id is not distinct from hit.message_feed_id and ${where}
    order by ${order} ${nearest})`
  const before = side(
    true,
    sql`m.created_at <= hit.created_at and (m.created_at < hit.created_at or m.message_id > hit.message_id)`,
    sql`m.created_at desc, m.message_id`,
  )
  const after = side(
    false,
    sql`m.created_at >= hit.created_at and (m.created_at > hit.created_at or m.message_id < hit.message_id)`,
    sql`m.created_at, m.message_id desc`,
  )
  const rows = await query<{ isBefore: boolean; messageId: string }>(
    ctx,
    sql`
    select around.* from message hit cross join lateral (${before} union all ${after}) around where hit.message_id = ${messageId}`,
  )
  const of = (isBefore: boolean) => rows.filter((row) => row.isBefore === isBefore).map((row) => row.messageId)
  return { before: of(true), after: of(false) }
}
