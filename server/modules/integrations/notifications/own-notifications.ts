import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { readMe } from '#server/modules/accounts/access/read-me.ts'
import { ownerOf } from '#server/modules/accounts/preferences/read-preferences.ts'
import { dueAt, type Schedule } from '#server/modules/integrations/notifications/due-time.ts'
import { dropWaiting } from '#server/modules/integrations/notifications/end-notifications.ts'
import { readMailServer } from '#server/modules/integrations/notifications/mail/mail-server.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { countBrowsers } from '#server/modules/integrations/notifications/push/subscriptions.ts'
import { readPushKey } from '#server/modules/integrations/notifications/push/vapid.ts'
import {
  DIGEST_HOUR,
  type NotificationChoice,
  type NotificationsChange,
  type OwnNotifications,
  REPORTS_FROM,
  type Topic,
} from '#server/modules/integrations/notifications/schema.ts'

interface PersonRow extends Omit<Schedule, 'zone'> {
  reportsFrom: number
  mailEndedAt: Date | null
  refusedCode: number | null
}

/** The caller's own notifications. UNAUTHORIZED for anyone without a staff account. */
export async function readOwnNotifications(ctx: Ctx, parts: NotificationParts): Promise<OwnNotifications> {
  const userId = ownerOf(ctx)
  const [me, person, choices, server, pushKey] = await Promise.all([
    readMe(ctx),
    queryOne<PersonRow>(
      ctx,
      sql`
      select digest_hour, quiet_from, quiet_until, reports_from, mail_ended_at, refused_code from notification_person where user_id = ${userId}`,
    ),
    query<NotificationChoice>(
      ctx,
      sql`select topic, channel, pace from notification_choice where user_id = ${userId} order by topic, channel`,
    ),
    readMailServer(ctx, parts),
    readPushKey(ctx),
  ])
  const { quietFrom: from = null, quietUntil: until = null, mailEndedAt = null, refusedCode = null } = person ?? {}
  return {
    topics: topicsOf(ctx, me),
    choices,
    digestHour: person?.digestHour ?? DIGEST_HOUR,
    ...(from !== null && until !== null && { quiet: { from, until } }),
    reportsFrom: person?.reportsFrom ?? REPORTS_FROM.usual,
    email: me.email,
    canMail: server !== undefined,
    ...present({ pushKey }),
    browsers: await countBrowsers(ctx, userId),
    ...(mailEndedAt !== null && { mailEnded: { at: timestampOf(mailEndedAt), ...present({ code: refusedCode }) } }),
  }
}

function topicsOf(ctx: Ctx, me: { reviews: boolean; settings: string[] }): Topic[] {
  const isTheirs: Record<Topic, boolean> = {
    escalated: me.reviews,
    reports: me.reviews || holds(ctx, 'BAN_USER'),
    overdue: me.reviews,
    rules: me.settings.includes('rules'),
    webhooks: me.settings.includes('webhooks'),
  }
  return (Object.keys(isTheirs) as Topic[]).filter((topic) => isTheirs[topic])
}

/**
 * Changes the caller's own notifications, and moves pending notifications to their new time. Not in the log, as preferences aren't (decision 79). What they may not know
 * of stays unknown, whatever they choose. UNAUTHORIZED for anyone without a staff account.
 */
export function changeOwnNotifications(
  ctx: Ctx,
  change: NotificationsChange,
  parts: NotificationParts,
): Promise<OwnNotifications> {
  const userId = ownerOf(ctx)
  return inTransaction(ctx, async (ctx) => {
    const schedule = await storePerson(ctx, userId, change)
    if (change.choice !== undefined) await storeChoice(ctx, userId, change.choice)
    await moveWaiting(ctx, userId, schedule)
    return readOwnNotifications(ctx, parts)
  })
}

/** Returns the hours in force. */
async function storePerson(
  ctx: Ctx,
  userId: string,
  { zone, digestHour, quiet, reportsFrom }: NotificationsChange,
): Promise<Schedule> {
  const [keepsQuiet, from, until] = [quiet === undefined, quiet?.from ?? null, quiet?.until ?? null]
  const stored = await queryOne<Schedule>(
    ctx,
    sql`
    insert into notification_person as p (user_id, zone, digest_hour, quiet_from, quiet_until, reports_from, updated_at)
    values (${userId}, ${zone}, ${digestHour ?? DIGEST_HOUR}, ${from}, ${until}, ${reportsFrom ?? REPORTS_FROM.usual}, ${ctx.now()})
    on conflict (user_id) do update set zone = excluded.zone,
      digest_hour = coalesce(${digestHour ?? null}::int, p.digest_hour), reports_from = coalesce(${reportsFrom ?? null}::int, p.reports_from),
      quiet_from = case when ${keepsQuiet} then p.quiet_from else excluded.quiet_from end,
      quiet_until = case when ${keepsQuiet} then p.quiet_until else excluded.quiet_until end, updated_at = excluded.updated_at
    returning digest_hour, quiet_from, quiet_until,
      coalesce((select f.preferences ->> 'zone' from staff_preference f where f.user_id = p.user_id), p.zone) as zone`,
  )
  if (stored === undefined) throw new Error('an insert returned no row')
  return stored
}

async function storeChoice(
  ctx: Ctx,
  userId: string,
  { topic, channel, pace }: NonNullable<NotificationsChange['choice']>,
): Promise<void> {
  if (pace === null) {
    await execute(
      ctx,
      sql`delete from notification_choice where user_id = ${userId} and topic = ${topic} and channel = ${channel}`,
    )
    return dropWaiting(ctx, { userId, channel, topics: [topic] })
  }
  await execute(
    ctx,
    sql`
    insert into notification_choice (user_id, topic, channel, pace) values (${userId}, ${topic}, ${channel}, ${pace})
    on conflict (user_id, topic, channel) do update set pace = excluded.pace`,
  )
}

/** What is being sent, or is tried again after a failure, keeps its time. */
async function moveWaiting(ctx: Ctx, userId: string, schedule: Schedule): Promise<void> {
  const now = ctx.now()
  const [once, hourly, daily] = (['once', 'hourly', 'daily'] as const).map((pace) => dueAt(pace, schedule, now))
  await execute(
    ctx,
    sql`
    update notification n set due_at = case c.pace when 'once' then ${once}::timestamptz when 'hourly' then ${hourly} else ${daily} end
    from notification_choice c
    where n.user_id = ${userId} and n.state = 'waiting' and n.tries = 0
      and c.user_id = n.user_id and c.topic = n.topic and c.channel = n.channel`,
  )
}

/** Sends mail again to an address that was refused. UNAUTHORIZED without a staff account, NOT_FOUND if it wasn't. */
export async function resumeMail(ctx: Ctx, parts: NotificationParts): Promise<OwnNotifications> {
  const resumed = await execute(
    ctx,
    sql`
    update notification_person set mail_ended_at = null, rejections = 0, refused_code = null
    where user_id = ${ownerOf(ctx)} and mail_ended_at is not null`,
  )
  if (resumed === 0) throw new DomainError('NOT_FOUND')
  return readOwnNotifications(ctx, parts)
}
