import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { type QuotedRow, type QuotesWanted, toQuoted } from '#server/modules/review/items/read-surroundings.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'

const SHOWN_EACH_WAY = 3

/** The messages just before and after a message in the same feed that the caller may read. Uses message_in_channel. */
export async function readAround(
  ctx: Ctx,
  messageId: string,
  wanted: QuotesWanted,
): Promise<NonNullable<ReviewItem['around']>> {
  const neighbours = (isBefore: boolean) => sql`(
    select ${sql.raw(String(isBefore))} as is_before, m.message_id as id, m.user_id, u.display_name, m.data,
      m.created_at, null as approval_status, m.is_deleted
    from message m join network_user u on u.user_id = m.user_id
    where m.channel_id = reported.channel_id and not m.is_deleted and m.message_feed_id is not distinct from reported.message_feed_id
      and ${
        isBefore
          ? sql`m.created_at <= reported.created_at
              and (m.created_at < reported.created_at or m.message_id > reported.message_id)`
          : sql`m.created_at >= reported.created_at
              and (m.created_at > reported.created_at or m.message_id < reported.message_id)`
      }
    order by ${isBefore ? sql`m.created_at desc, m.message_id` : sql`m.created_at, m.message_id desc`}
    ${sql.raw(`limit ${SHOWN_EACH_WAY}`)})`
  const rows = await query<QuotedRow & { isBefore: boolean }>(
    ctx,
    sql`
    select around.* from message reported cross join lateral (${neighbours(true)} union all ${neighbours(false)}) around
    where reported.message_id = ${messageId} order by created_at, id desc`,
  )
  const quoted = (isBefore: boolean) =>
    rows.filter((row) => row.isBefore === isBefore).map((row) => toQuoted(row, wanted))
  return { before: quoted(true), after: quoted(false) }
}
