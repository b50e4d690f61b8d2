import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, queryOne, sql } from '#server/core/db.ts'
import { withoutPerson } from '#server/modules/ledger/events/without-person.ts'

const EVENTS_A_PIECE = 5_000

/**
 * Removes one person's data from the payloads of a number of events after `after`; returns how far it came. Replays send the
 * events without it. Uses event_pkey.
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
  if (naming.length > 0) {
    await execute(
      ctx,
      sql`
      update event e set payload = erased.payload
      from unnest(${naming.map(({ eventId }) => eventId)}::bigint[],
        ${naming.map(({ payload }) => JSON.stringify(withoutPerson(payload, userId)))}::jsonb[]) as erased(event_id, payload)
      where e.event_id = erased.event_id and e.payload <> erased.payload`,
    )
  }
  return { upto, isEnd: count < EVENTS_A_PIECE }
}
