import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { ownerOf } from '#server/modules/accounts/preferences/read-preferences.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import {
  type PushEndpoint,
  type PushInput,
  SUBSCRIPTIONS_LIMIT,
} from '#server/modules/integrations/notifications/schema.ts'
import { assertAddress } from '#server/modules/integrations/webhooks/assert-address.ts'
import type { EndpointProblem } from '#server/modules/integrations/webhooks/schema.ts'

/** How many browsers the person has push turned on in. */
export async function countBrowsers(ctx: Ctx, userId: string): Promise<number> {
  const counted = await queryOne<{ count: number }>(
    ctx,
    sql`select count(*)::int as count from push_subscription where user_id = ${userId}`,
  )
  return counted?.count ?? 0
}

/**
 * Turns push on in a browser, for the caller alone, also if somebody else had it on there before. INVALID_PARAMETERS for an address that could never be posted to, and
 * for more than 20 browsers. UNAUTHORIZED for anyone without a staff account.
 */
export async function subscribe(
  ctx: Ctx,
  { endpoint, keys }: PushInput,
  { allowsLoopback }: Pick<NotificationParts, 'allowsLoopback'>,
): Promise<{ browsers: number }> {
  const userId = ownerOf(ctx)
  assertAddress(endpoint, { allowsLoopback })
  return inTransaction(ctx, async (ctx) => {
    await execute(
      ctx,
      sql`
      insert into push_subscription as s (user_id, endpoint, p256dh, auth, created_at)
      values (${userId}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${ctx.now()})
      on conflict (endpoint) do update set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
        created_at = excluded.created_at`,
    )
    const browsers = await countBrowsers(ctx, userId)
    if (browsers > SUBSCRIPTIONS_LIMIT)
      throw new DomainError('INVALID_PARAMETERS', { problem: 'tooMany' satisfies EndpointProblem })
    return { browsers }
  })
}

/** Turns push off in a browser of the caller's; nothing happens if it is off. UNAUTHORIZED for anyone without a staff account. */
export async function unsubscribe(ctx: Ctx, { endpoint }: PushEndpoint): Promise<{ browsers: number }> {
  const userId = ownerOf(ctx)
  await execute(ctx, sql`delete from push_subscription where endpoint = ${endpoint} and user_id = ${userId}`)
  return { browsers: await countBrowsers(ctx, userId) }
}
