import webPush from 'web-push'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { openedSecret, sealSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'

export interface Vapid {
  publicKey: string
  privateKey: string
}

/**
 * The keys that push services know this network by (RFC 8292). Made once; all browsers subscribe with them. If DOCKET_SECRET has changed since, new ones
 * are made, and browsers have to subscribe again.
 */
export async function ensureVapid(ctx: Ctx, { key }: Pick<NotificationParts, 'key'>): Promise<Vapid> {
  const stored = await queryOne<{ vapidPublic: string | null; vapidPrivate: Uint8Array | null }>(
    ctx,
    sql`select vapid_public, vapid_private from notification_settings`,
  )
  const { vapidPublic: publicKey = null, vapidPrivate = null } = stored ?? {}
  const privateKey = vapidPrivate === null ? undefined : openedSecret(key, vapidPrivate)
  if (publicKey !== null && privateKey !== undefined) return { publicKey, privateKey }
  await makeKeys(ctx, key, publicKey)
  return ensureVapid(ctx, { key })
}

/** With which key browsers subscribe; undefined before a worker has made it. */
export async function readPushKey(ctx: Ctx): Promise<string | undefined> {
  const stored = await queryOne<{ vapidPublic: string | null }>(
    ctx,
    sql`select vapid_public from notification_settings`,
  )
  return stored?.vapidPublic ?? undefined
}

/** Of several callers at once, one makes them. */
function makeKeys(ctx: Ctx, key: Buffer, before: string | null): Promise<void> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  return inTransaction(ctx, async (ctx) => {
    const made = await execute(
      ctx,
      sql`
      update notification_settings set vapid_public = ${publicKey}, vapid_private = ${sealSecret(key, privateKey)}
      where vapid_public is not distinct from ${before}`,
    )
    if (made > 0 && before !== null) await execute(ctx, sql`delete from push_subscription`)
  })
}
