import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { createSetAside } from '#server/core/set-aside.ts'

/** The greatest number that a segment can be. */
export const LAST_SEGMENT = 2_147_483_647
const BATCH_SIZE = 2_000
/** A running import numbers its own messages: the worker takes only channels that nothing was added to for this long. */
const LEFT_ALONE = sql`interval '1 minute'`

/** Numbers the messages of a channel that have no segment yet, in the order of time; one transaction per batch. */
export async function numberMessages(ctx: Ctx, channelId: string): Promise<void> {
  for (;;) if (await numberBatch(ctx, channelId)) return
}

/** Numbers one batch of what an import left behind; true where more remains. Uses message_numbering_pkey. */
export async function numberPending(ctx: Ctx): Promise<boolean> {
  const found = await setAside.workBatch(ctx, async (batch) => {
    const left = await queryOne<{ channelId: string }>(
      ctx,
      sql`
      select channel_id from message_numbering where added_at < now() - ${LEFT_ALONE} and ${batch.isTaken(sql`channel_id`)}
      order by channel_id limit 1`,
    )
    if (left === undefined) return
    batch.take([left.channelId])
    await numberBatch(ctx, left.channelId)
  })
  return found > 0
}

const setAside = createSetAside('numbering')

interface Position {
  createdAt: Date
  /** Absent: at the first message of that time. */
  messageId: string | null
}

/**
 * Numbers the next messages of one channel, and returns whether it is done. Messages up to where it started have ascending segments
 * already; each following one keeps its segment where that is greater than the one before, else gets the next number. The channel is locked
 * with the same lock as writing in it, so nothing is written in between.
 */
function numberBatch(ctx: Ctx, channelId: string): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    await execute(ctx, sql`select 1 from channel where channel_id = ${channelId} for no key update`)
    const work = await queryOne<{ fromAt: Date; fromId: string | null; uptoAt: Date }>(
      ctx,
      sql`
      select from_at, from_id, upto_at from message_numbering where channel_id = ${channelId}`,
    )
    if (work === undefined) return true
    const next = await assignSegments(ctx, channelId, { createdAt: work.fromAt, messageId: work.fromId })
    const isDone = next === undefined || (next.createdAt > work.uptoAt && next.isAscending)
    await execute(
      ctx,
      isDone
        ? sql`delete from message_numbering where channel_id = ${channelId}`
        : sql`
          update message_numbering set from_at = ${next.createdAt}, from_id = ${next.messageId}
          where channel_id = ${channelId}`,
    )
    return isDone
  })
}

interface Next {
  createdAt: Date
  messageId: string
  /** It has a segment, which is greater than those before it. */
  isAscending: boolean
}

/**
 * The order is that of message lists, along message_in_channel. Read positions are segment numbers, so where messages are renumbered the
 * positions move with them; the new numbers then start beyond all that are in use, and no position can mean two messages.
 */
async function assignSegments(ctx: Ctx, channelId: string, from: Position): Promise<Next | undefined> {
  return queryOne<Next>(
    ctx,
    sql`
    with found as materialized (
      select m.message_id, m.created_at, m.channel_segment as old from message m
      where m.channel_id = ${channelId} and m.created_at >= ${from.createdAt}
        and (m.created_at > ${from.createdAt} or ${from.messageId}::text is null or m.message_id <= ${from.messageId})
      order by m.created_at, m.message_id desc ${sql.raw(`limit ${BATCH_SIZE + 1}`)}),
    placed as materialized (
      select *, row_number() over (order by created_at, message_id desc) as position from found),
    before as materialized (
      select coalesce((
        select m.channel_segment from message m
        where m.channel_id = ${channelId} and m.created_at <= ${from.createdAt}
          and (m.created_at < ${from.createdAt} or m.message_id > ${from.messageId})
        order by m.created_at desc, m.message_id limit 1), 0) as segment),
    base as materialized (
      select case
        when exists (
            select from (
              select old, position + greatest(before.segment, max(old - position) over (order by position)) as kept from placed, before) walked
            where old <> kept)
          and exists (
            select from channel_user
            where channel_id = ${channelId} and (read_to_segment > 0 or last_mentioned_segment > 0))
        then (select max(channel_segment) from message where channel_id = ${channelId} and channel_segment is not null)
        else before.segment end as segment
      from before),
    numbered as materialized (
      select placed.*,
        least(position + greatest(base.segment, max(old - position) over (order by position)), ${LAST_SEGMENT}::bigint)::int as new
      from placed, base),
    batch as materialized (select * from numbered where position <= ${BATCH_SIZE}),
    changed as (
      update message m set channel_segment = batch.new from batch
      where m.message_id = batch.message_id and m.channel_segment is distinct from batch.new),
    moved as materialized (select old, new from batch where old <> new),
    span as materialized (select min(old) as first, max(old) as last from moved),
    marks as (
      update channel_user cu set
        read_to_segment = case when cu.read_to_segment between span.first and span.last
          then (select max(new) from moved where old <= cu.read_to_segment) else cu.read_to_segment end,
        last_mentioned_segment = case when cu.last_mentioned_segment between span.first and span.last
          then (select max(new) from moved where old <= cu.last_mentioned_segment) else cu.last_mentioned_segment end
      from span
      where cu.channel_id = ${channelId}
        and (cu.read_to_segment between span.first and span.last or cu.last_mentioned_segment between span.first and span.last))
    select created_at, message_id,
      coalesce(old > (select max(new) from batch), false) as is_ascending
    from numbered where position > ${BATCH_SIZE}`,
  )
}
