import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import type { LiveEvent } from '#server/modules/live/schema.ts'

const EVENTS_PER_READ = 1_000

/**
 * Events for clients beside those recorded for the desk only: changes to what the desk shows. Of messages, only reported ones.
 */
const ALSO_FOR_DESKS = [
  'v3.comment.didApprove',
  'v3.comment.didDelete',
  'v3.comment.didFlag',
  'v3.comment.didUnflag',
  'v3.comment.didClearFlag',
  'v3.post.didApprove',
  'v3.post.didDecline',
  'v3.post.didDelete',
  'v3.post.didFlag',
  'v3.post.didUnflag',
  'v3.post.didClearFlag',
  'v3.community.didUpdate',
  'v5.message.didDelete',
  'message.didFlag',
  'message.didUnflag',
  'message.didClearflag',
  'user.didFlag',
  'user.didUnflag',
  'user.didClearFlag',
]

type EventSpace = Pick<LiveEvent, 'communityId' | 'channelId' | 'conversationId'>
export type NumberedEvent = LiveEvent & { seq: number }

/** The number of the last numbered event; 0 if there is none. Uses event_seq_idx. */
export async function readPosition(ctx: Ctx): Promise<number> {
  const last = await queryOne<{ seq: number }>(ctx, sql`select coalesce(max(seq), 0)::float8 as seq from event`)
  return last?.seq ?? 0
}

/**
 * The events for clients after one number, and up to another if it is given; `upto` is how far the result reaches. At most a
 * thousand; if there may be more, read again after `upto`. Uses event_seq_idx.
 */
export async function readEvents(
  ctx: Ctx,
  { after, upto }: { after: number; upto?: number },
): Promise<{ events: NumberedEvent[]; upto: number; isMore: boolean }> {
  const rows = await query<LastRow | EventRow>(
    ctx,
    sql`
    select last.seq::float8 as end, e.*
    from (select coalesce(${upto ?? null}::bigint, (select coalesce(max(seq), 0) from event)) as seq) last
    left join lateral (
      select e.seq::float8 as seq, e.name, e.subject_type, e.subject_id, e.community_id,
        case when ch.type <> 'conversation' then r.channel_id end as channel_id,
        case when ch.type = 'conversation' then r.channel_id end as conversation_id
      from event e
      left join review_item r on e.subject_type = 'message' and r.subject_type = 'message' and r.subject_id = e.subject_id and r.kind = 'reported'
      left join channel ch on ch.channel_id = r.channel_id
      where e.seq > ${after}::bigint and e.seq <= last.seq and (e.is_desk_only or e.name = any(${ALSO_FOR_DESKS}::text[]))
        and (e.subject_type <> 'message' or r.channel_id is not null)
      order by e.seq limit ${EVENTS_PER_READ}) e on true
    order by e.seq`,
  )
  const events = rows.flatMap(({ end: _, ...row }) => (row.seq === null ? [] : [toEvent(row)]))
  const [{ end } = { end: after }] = rows
  const isMore = events.length === EVENTS_PER_READ
  return { events, upto: isMore ? (events.at(-1)?.seq ?? end) : end, isMore }
}

interface LastRow {
  end: number
  seq: null
}

type EventRow = Omit<LastRow, 'seq'> &
  Omit<NumberedEvent, 'kind' | keyof EventSpace> & { [Column in keyof EventSpace]-?: string | null }

function toEvent({ communityId, channelId, conversationId, ...row }: Omit<EventRow, 'end'>): NumberedEvent {
  return {
    kind: 'event',
    ...row,
    ...(communityId !== null && { communityId }),
    ...(channelId !== null && { channelId }),
    ...(conversationId !== null && { conversationId }),
  }
}

/** Whether all events after this number can still be read. */
export async function hasEventsAfter(ctx: Ctx, after: number): Promise<boolean> {
  const next = await queryOne(ctx, sql`select true as is_kept from event where seq = ${after + 1}::bigint`)
  return next !== undefined
}
