import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, sql } from '#server/core/db.ts'

export interface NumberedEvent {
  seq: string
  /** Whether it may be published from now on. */
  isReleased: boolean
}

/**
 * Gives committed events their gapless numbers; one caller at a time. Uses event_unsealed. Takes the ids as an array, so that
 * the plan does not depend on outdated statistics: each event is looked up by primary key however many there are.
 */
export function numberEvents(ctx: Ctx): Promise<NumberedEvent[]> {
  return query<NumberedEvent>(
    ctx,
    sql`
    update event set seq = (select coalesce(max(seq), 0) from event) + fresh.position
    from unnest(array(select event_id from event where seq is null order by event_id limit ${BATCH_SIZE}))
      with ordinality as fresh(event_id, position)
    where event.event_id = fresh.event_id
    returning seq::text, state = 'released' and not is_desk_only as "isReleased"`,
  )
}

/** Releases held events whose hold time is over: from here on they are published and can't be undone. Uses event_held. */
export function releaseEvents(ctx: Ctx): Promise<NumberedEvent[]> {
  return query<NumberedEvent>(
    ctx,
    sql`
    update event set state = 'released'
    where event_id = any(array(
      select event_id from event where state = 'held' and releases_at <= ${ctx.now()} and seq is not null
      order by releases_at, event_id limit ${BATCH_SIZE} for update))
      and state = 'held'
    returning seq::text, not is_desk_only as "isReleased"`,
  )
}

/** Wakes every process that has desk clients connected; delivered when the transaction commits. */
export async function wakeListeners(ctx: Ctx): Promise<void> {
  await execute(ctx, sql`select pg_notify('docket_events', (select coalesce(max(seq), 0)::text from event))`)
}
