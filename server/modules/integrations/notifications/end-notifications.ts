import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { dueAt, type Schedule } from '#server/modules/integrations/notifications/due-time.ts'
import type { NotificationChannel } from '#server/modules/integrations/notifications/schema.ts'
import type { TakenNotifications } from '#server/modules/integrations/notifications/take-notifications.ts'

/** How long after each attempt the next one follows; after the last of these, as long as after it. */
const RETRY_AFTER_MS = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000]
/** After so many, about two days, notifications are given up. */
const TRIES = 12

/** When notifications that could not be sent are tried again; undefined if they are given up. */
export function retryAt({ tries }: Pick<TakenNotifications, 'tries'>, schedule: Schedule, now: Date): Date | undefined {
  if (tries >= TRIES) return undefined
  const waitMs = RETRY_AFTER_MS[Math.min(tries, RETRY_AFTER_MS.length) - 1] ?? 0
  return dueAt('once', schedule, new Date(now.getTime() + waitMs))
}

/** Ends notifications that are still waiting. Uses notification_pkey. */
export async function endNotifications(
  ctx: Ctx,
  notificationIds: string[],
  state: 'sent' | 'failed' | 'dropped',
): Promise<void> {
  if (notificationIds.length === 0) return
  await execute(
    ctx,
    sql`
    update notification set state = ${state}, ended_at = ${ctx.now()}
    where notification_id = any(${notificationIds}::bigint[]) and state = 'waiting'`,
  )
}

/** Makes notifications due again that were not sent, unless another process has taken them since. */
export async function postponeNotifications(
  ctx: Ctx,
  { notificationIds, leasedUntil }: Pick<TakenNotifications, 'notificationIds' | 'leasedUntil'>,
  until: Date,
): Promise<void> {
  await execute(
    ctx,
    sql`
    update notification set due_at = ${until}
    where notification_id = any(${notificationIds}::bigint[]) and state = 'waiting' and due_at = ${leasedUntil}`,
  )
}

/** Drops pending notifications of people who turned them off, all of them if no topics are named. */
export async function dropWaiting(
  ctx: Ctx,
  { userId, channel, topics }: { userId: string; channel: NotificationChannel; topics?: readonly string[] },
): Promise<void> {
  const isOne = topics === undefined ? sql`true` : sql`topic = any(${[...topics]})`
  await execute(
    ctx,
    sql`
    update notification set state = 'dropped', ended_at = ${ctx.now()}
    where user_id = ${userId} and channel = ${channel} and state = 'waiting' and ${isOne}`,
  )
}
