import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import type { Batch } from '#server/core/set-aside.ts'

export interface SequencedEvent {
  seq: string
  /** Whether endpoints may receive it from now on. */
  isPublished: boolean
  /** What it is about: none of its events may overtake another. */
  line: string
}

/** Which events are taken, by their line. */
type Taken = Pick<Batch, 'isTaken'>

const ALL: Taken = { isTaken: () => sql`true` }
const LINE = sql`concat(event.subject_type, ' ', event.subject_id)`

/**
 * Gives committed events their gapless numbers, and releases held events whose hold time is over: from here on they are published and
 * can't be undone. One caller at a time. Uses event_unsealed and event_held. Takes the ids as arrays, so that the plan does not depend on
 * outdated statistics: each event is looked up by primary key however many there are.
 */
export function sequenceEvents(ctx: Ctx, taken: Taken = ALL): Promise<SequencedEvent[]> {
  return query<SequencedEvent>(
    ctx,
    sql`
    with numbered as (
      update event set seq = (select coalesce(max(seq), 0) from event) + fresh.position,
        state = case when ${isDue(ctx)} then 'released' else state end
      from unnest(array(${unnumbered(taken)}))
        with ordinality as fresh(event_id, position)
      where event.event_id = fresh.event_id
      returning seq, state = 'released' and not is_desk_only as is_published, ${LINE} as line),
    released as (
      update event set state = 'released'
      where event_id = any(array(${due(ctx, taken)} for update)) and state = 'held'
      returning seq, not is_desk_only as is_published, ${LINE} as line)
    select seq::text, is_published, line from numbered union all select seq::text, is_published, line from released`,
  )
}

/** The lines of the events that `sequenceEvents` would take. */
export async function findLines(ctx: Ctx, taken: Taken): Promise<string[]> {
  const found = await query<{ line: string }>(
    ctx,
    sql`
    select distinct ${LINE} as line from event
    where event_id = any(array(${unnumbered(taken)})) or event_id = any(array(${due(ctx, taken)}))`,
  )
  return found.map(({ line }) => line)
}

const isDue = (ctx: Ctx): Sql => sql`state = 'held' and releases_at <= ${ctx.now()}`
const unnumbered = ({ isTaken }: Taken): Sql => sql`
  select event_id from event where seq is null and ${isTaken(LINE)} order by event_id limit ${BATCH_SIZE}`
const due = (ctx: Ctx, { isTaken }: Taken): Sql => sql`
  select event_id from event where ${isDue(ctx)} and seq is not null and ${isTaken(LINE)} order by releases_at, event_id limit ${BATCH_SIZE}`

/** Wakes every process that has desk clients connected; delivered when the transaction commits. */
export async function wakeListeners(ctx: Ctx): Promise<void> {
  await execute(ctx, sql`select pg_notify('docket_events', (select coalesce(max(seq), 0)::text from event))`)
}
