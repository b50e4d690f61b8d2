import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { Batch } from '#server/core/set-aside.ts'
import type { NotificationChannel } from '#server/modules/integrations/notifications/schema.ts'

/** Longer than sending may take: after that, the process that took notifications is taken for dead. */
const LEASE_MS = 60_000
/** People notified at once by one process. */
const PEOPLE_A_BATCH = 5
/** Of the notifications that are due longest, as many as people are looked for in. */
const LOOKED_AT = 1_000

/** The notifications of one person that are sent together. */
export interface TakenNotifications {
  userId: string
  notificationIds: string[]
  /** How often sending the oldest of them began, with this time. */
  tries: number
  /** Until then no other process takes them. */
  leasedUntil: Date
}

/**
 * Takes all due notifications of the people whose notifications have been due longest on this channel. No other process takes them until the lease is over: if this one dies
 * before it has stored that they were sent, they are sent once more. Uses notification_due.
 */
export async function takeNotifications(
  ctx: Ctx,
  channel: NotificationChannel,
  batch: Batch,
): Promise<TakenNotifications[]> {
  const now = ctx.now()
  const due = await query<{ userId: string }>(
    ctx,
    sql`
    select user_id from (
      select user_id, due_at from notification where channel = ${channel} and state = 'waiting' and due_at <= ${now}
        and ${batch.isTaken(sql`user_id`)}
      order by due_at ${sql.raw(`limit ${LOOKED_AT}`)}) first
    group by user_id order by min(due_at), user_id ${sql.raw(`limit ${PEOPLE_A_BATCH}`)}`,
  )
  const userIds = due.map(({ userId }) => userId)
  batch.take(userIds)
  if (userIds.length === 0) return []
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  return query<TakenNotifications>(
    ctx,
    sql`
    with people as (
      select user_id from notification_person where user_id = any(${userIds}::text[]) order by user_id for update skip locked),
    taken as (
      update notification n set due_at = ${leasedUntil}, tries = n.tries + 1
      from people
      where n.user_id = people.user_id and n.channel = ${channel} and n.state = 'waiting' and n.due_at <= ${now}
      returning n.user_id, n.notification_id, n.tries, n.due_at)
    select user_id, array_agg(notification_id::text order by notification_id) as notification_ids, max(tries) as tries,
      max(due_at) as leased_until
    from taken group by user_id order by user_id`,
  )
}
