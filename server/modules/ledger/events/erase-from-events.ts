import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, queryOne, sql } from '#server/core/db.ts'
import { withoutPerson } from '#server/modules/ledger/events/without-person.ts'

const EVENTS_A_PIECE = 5_000

/**
 * Removes one person's data from the payloads of a number of events after `after`; returns how far it came. Replays send the
 * events without it. What receivers answered to these events may repeat it, and goes with it. Uses event_pkey.
 */
export async function eraseFromEvents(
  ctx: Ctx,
  { userId, after }: { userId: string; after: string },
): Promise<{ upto: string; isEnd: boolean }> {
  const end = await queryOne<{ upto: string; count: number }>(
    ctx,
    sql`
    select coalesce(max(event_id), ${after}::bigint)::text as upto, count(*)::int as count from (
      select event_id from event where event_id > ${after}::bigint order by event_id limit ${EVENTS_A_PIECE}) piece`,
  )
  const { upto, count } = end ?? { upto: after, count: 0 }
  const naming = await query<{ eventId: string; payload: unknown }>(
    ctx,
    sql`
    select event_id::text as "eventId", payload from event
    where event_id > ${after}::bigint and event_id <= ${upto}::bigint
      and position(to_jsonb(${userId}::text)::text in payload::text) > 0`,
  )
  const eventIds = naming.map(({ eventId }) => eventId)
  if (naming.length > 0) {
    await execute(
      ctx,
      sql`
      update event e set payload = erased.payload
      from unnest(${eventIds}::bigint[],
        ${naming.map(({ payload }) => JSON.stringify(withoutPerson(payload, userId)))}::jsonb[]) as erased(event_id, payload)
      where e.event_id = erased.event_id and e.payload <> erased.payload`,
    )
    await eraseAnswersTo(ctx, eventIds)
  }
  return { upto, isEnd: count < EVENTS_A_PIECE }
}

/** Uses event_pkey, delivery_event_seq_endpoint_id_key of each partition, and delivery_try_pkey. */
async function eraseAnswersTo(ctx: Ctx, eventIds: string[]): Promise<void> {
  await execute(
    ctx,
    sql`
    update delivery_try t set answer = null
    from delivery d join event e on e.seq = d.event_seq
    where e.event_id = any(${eventIds}::bigint[]) and t.delivery_id = d.delivery_id and t.answer is not null`,
  )
}
