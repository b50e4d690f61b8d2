import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { dropWaiting } from '#server/modules/integrations/notifications/end-notifications.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import type { StopInput, Stopped } from '#server/modules/integrations/notifications/schema.ts'
import { readStop } from '#server/modules/integrations/notifications/stop-link.ts'

/**
 * Stops mails about the topics of a link, for anyone who has the mail: nobody needs to be signed in. Doing it again changes nothing. NOT_FOUND for a
 * link that has expired or was changed.
 */
export function stopNotifications(
  ctx: Ctx,
  { token }: StopInput,
  { linkKey }: Pick<NotificationParts, 'linkKey'>,
): Promise<Stopped> {
  const { staffId, topics } = readStop(linkKey, token, ctx.now())
  return inTransaction(ctx, async (ctx) => {
    const person = await queryOne<{ userId: string }>(
      ctx,
      sql`select network_user_id as user_id from staff_account where id = ${staffId}`,
    )
    if (person === undefined) return { topics }
    const { userId } = person
    await execute(
      ctx,
      sql`delete from notification_choice where user_id = ${userId} and channel = 'mail' and topic = any(${topics}::text[])`,
    )
    await dropWaiting(ctx, { userId, channel: 'mail', topics })
    return { topics }
  })
}
