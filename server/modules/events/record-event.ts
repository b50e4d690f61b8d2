import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'

export interface Happening {
  name: string
  subjectType: string
  subjectId: string
  communityId?: string | null
  /** Told as it is stored here, whatever happens to the subject later. */
  payload: Record<string, unknown>
  /** For desks only; never sent to an endpoint. */
  isDeskOnly?: boolean
  /** How long nobody outside hears of it. */
  holdForMs?: number
}

export interface RecordedEvent {
  eventId: string
  releasesAt: Date
}

/** Writes what happened, in the transaction of the change; the sealer numbers it, and releases it once its time has come. */
export async function recordEvent(ctx: Ctx, happening: Happening): Promise<RecordedEvent> {
  const now = ctx.now()
  const releasesAt = new Date(now.getTime() + (happening.holdForMs ?? 0))
  const event = await queryOne<{ eventId: string }>(
    ctx,
    Prisma.sql`
    insert into event (name, is_desk_only, subject_type, subject_id, community_id, payload, state, created_at, releases_at)
    values (${happening.name}, ${happening.isDeskOnly ?? false}, ${happening.subjectType}, ${happening.subjectId},
      ${happening.communityId ?? null}, ${JSON.stringify(happening.payload)}::jsonb,
      ${releasesAt > now ? 'held' : 'released'}::event_state, ${now}, ${releasesAt})
    returning event_id::text as "eventId"`,
  )
  if (event === undefined) throw new Error('an insert returned no row')
  return { eventId: event.eventId, releasesAt }
}

/** Takes back an event that nobody outside has heard of. False where its time has come. */
export async function cancelEvent(ctx: Ctx, eventId: string): Promise<boolean> {
  const cancelled = await queryOne(
    ctx,
    Prisma.sql`
    update event set state = 'cancelled'
    where event_id = ${eventId}::bigint and state = 'held' and releases_at > ${ctx.now()}
    returning true as cancelled`,
  )
  return cancelled !== undefined
}
