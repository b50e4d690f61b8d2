import type { Ctx } from '#server/core/ctx.ts'
import { execute, queryOne, type Sql, sql } from '#server/core/db.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'

export interface NewEvent {
  /** Names that start with `desk.` are for desk clients only. */
  name: EventName | `desk.${string}`
  subjectType: string
  subjectId: string
  communityId?: string | null
  /** Published as stored here, whatever happens to the subject later. */
  payload: Record<string, unknown>
  /** For desk clients only; never sent to an endpoint. */
  isDeskOnly?: boolean
  /** How long the event is held before it is published. */
  holdForMs?: number
}

export interface RecordedEvent {
  eventId: string
  releasesAt: Date
}

/**
 * Stores an event, in the transaction of the change; the sequencer numbers it, and releases it once its hold time is over. An
 * event is never published before an earlier held event of the same subject. Uses event_held_subject.
 */
export async function recordEvent(ctx: Ctx, input: NewEvent): Promise<RecordedEvent> {
  const event = await queryOne<RecordedEvent>(
    ctx,
    sql`with ${eventTables(ctx, [input])} select event_id::text as event_id, releases_at from stored_event`,
  )
  if (event === undefined) throw new Error('an insert returned no row')
  return event
}

/**
 * The part of a statement that stores events of different subjects: the common table expression `stored_event` has a row with its `subject_id` for
 * each of them, `made` with its `subjectId`, that is left after `only`: a join or a condition.
 */
export function eventTables(ctx: Ctx, events: NewEvent[], only = sql.empty): Sql {
  const now = ctx.now()
  const rows = events.map(({ holdForMs = 0, isDeskOnly = false, ...event }, position) => ({
    ...event,
    position,
    isDeskOnly,
    ownTime: new Date(now.getTime() + holdForMs),
  }))
  const isOfSubject = sql`
    not made."isDeskOnly" and not is_desk_only and subject_type = made."subjectType" and subject_id = made."subjectId"`
  return sql`
    stored_event as (
      insert into event (name, is_desk_only, subject_type, subject_id, community_id, payload, state, created_at, releases_at)
      select made.name, made."isDeskOnly", made."subjectType", made."subjectId", made."communityId", made.payload,
        (case when made."ownTime" > ${now} or earlier.at is not null then 'held' else 'released' end)::event_state,
        ${now}, greatest(made."ownTime", earlier.at)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as made(position int, name text, "isDeskOnly" boolean, "subjectType" text,
        "subjectId" text, "communityId" text, payload jsonb, "ownTime" timestamptz) ${only}
      left join lateral (${lastHeld(isOfSubject)}) earlier on true
      order by made.position
      returning event_id, subject_id, releases_at)`
}

interface OptionalEvent extends Pick<NewEvent, 'name' | 'subjectType' | 'subjectId' | 'communityId'> {
  payload: Sql
  /** Without it, nothing is stored. */
  isWanted: Sql
}

/** Whether an endpoint names this event, which those that receive all events don't receive (NAMED_EVENTS). */
export function isNamedByEndpoint(name: EventName): Sql {
  return sql`exists (select from webhook_endpoint w where w.removed_at is null and ${name} = any(w.events))`
}

/** An event beside that of `eventTables`, as the common table expression `optional_event`. */
export function optionalEventTables(
  ctx: Ctx,
  { name, subjectType, subjectId, communityId = null, payload, isWanted }: OptionalEvent,
): Sql {
  const now = ctx.now()
  return sql`
    optional_event as (
      insert into event (name, is_desk_only, subject_type, subject_id, community_id, payload, state, created_at, releases_at)
      select ${name}, false, ${subjectType}, ${subjectId}, ${communityId}, ${payload},
        (case when earlier.at is null then 'released' else 'held' end)::event_state, ${now}, greatest(${now}::timestamptz, earlier.at)
      from (${lastHeld(sql`not is_desk_only and subject_type = ${subjectType} and subject_id = ${subjectId}`)}) earlier
      where ${isWanted})`
}

/**
 * When the last of these held events is released: `at`, null if none is held. `offset 0` keeps the planner from looking for the maximum from the
 * end of all held events, which it does where it knows of none.
 */
function lastHeld(those: Sql): Sql {
  return sql`
    select max(held.releases_at) as at
    from (select releases_at from event where state = 'held' and ${those} offset 0) held`
}

/** Cancels a held event. Returns false if its hold time is over. */
export async function cancelEvent(ctx: Ctx, eventId: string): Promise<boolean> {
  const cancelled = await execute(
    ctx,
    sql`
    update event set state = 'cancelled'
    where event_id = ${eventId}::bigint and state = 'held' and releases_at > ${ctx.now()}`,
  )
  return cancelled > 0
}
