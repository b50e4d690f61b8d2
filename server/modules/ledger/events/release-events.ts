import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, sql } from '#server/core/db.ts'

export interface SequencedEvent {
  seq: string
  /** Whether endpoints may receive it from now on. */
  isPublished: boolean
}

/**
 * Gives committed events their gapless numbers, and releases held events whose hold time is over: from here on they are published and
 * can't be undone. One caller at a time. Uses event_unsealed and event_held. Takes the ids as arrays, so that the plan does not depend on
 * outdated statistics: each event is looked up by primary key however many there are.
 */
export function sequenceEvents(ctx: Ctx): Promise<SequencedEvent[]> {
  const isDue = sql`state = 'held' and releases_at <= ${ctx.now()}`
  return query<SequencedEvent>(
    ctx,
    sql`
    with numbered as (
      update event set seq = (select coalesce(max(seq), 0) from event) + fresh.position,
        state = case when ${isDue} then 'released' else state end
      from unnest(array(select event_id from event where seq is null order by event_id limit ${BATCH_SIZE}))
        with ordinality as fresh(event_id, position)
      where event.event_id = fresh.event_id
      returning seq, state = 'released' and not is_desk_only as is_published),
    released as (
      update event set state = 'released'
      where event_id = any(array(
        select event_id from event where ${isDue} and seq is not null
        order by releases_at, event_id limit ${BATCH_SIZE} for update))
        and state = 'held'
      returning seq, not is_desk_only as is_published)
    select seq::text, is_published from numbered union all select seq::text, is_published from released`,
  )
}

/** Wakes every process that has desk clients connected; delivered when the transaction commits. */
export async function wakeListeners(ctx: Ctx): Promise<void> {
  await execute(ctx, sql`select pg_notify('docket_events', (select coalesce(max(seq), 0)::text from event))`)
}
