import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { ROWS_A_ROUND } from '#server/core/rounds.ts'

/** Gives committed events their gapless numbers; one caller at a time. Says how many. Uses event_unsealed. */
export async function numberEvents(ctx: Ctx): Promise<number> {
  const numbered = await query(
    ctx,
    Prisma.sql`
    with fresh as (
      select event_id, row_number() over (order by event_id) as place
      from (select event_id from event where seq is null order by event_id limit ${ROWS_A_ROUND}) waiting)
    update event set seq = (select coalesce(max(seq), 0) from event) + fresh.place
    from fresh where event.event_id = fresh.event_id returning 1`,
  )
  return numbered.length
}

/** Releases held events whose time has come: from here on they are told, and no undo can take them back. Uses event_held. */
export async function releaseEvents(ctx: Ctx): Promise<number> {
  const released = await query(
    ctx,
    Prisma.sql`
    update event set state = 'released'
    where event_id in (
      select event_id from event where state = 'held' and releases_at <= ${ctx.now()} and seq is not null
      order by releases_at, event_id limit ${ROWS_A_ROUND} for update)
      and state = 'held'
    returning 1`,
  )
  return released.length
}

/** Wakes every process that has desks connected; heard when the transaction commits. */
export async function wakeListeners(ctx: Ctx): Promise<void> {
  await ctx.db.$executeRaw`select pg_notify('docket_events', (select coalesce(max(seq), 0)::text from event))`
}
