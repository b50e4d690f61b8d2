import webPush from 'web-push'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { createSetAside } from '#server/core/set-aside.ts'
import { describeNotification } from '#server/modules/integrations/notifications/describe-notification.ts'
import {
  endNotifications,
  postponeNotifications,
  retryAt,
} from '#server/modules/integrations/notifications/end-notifications.ts'
import { notificationFigures } from '#server/modules/integrations/notifications/figures.ts'
import { inHeader } from '#server/modules/integrations/notifications/mail/send-mail.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { ensureVapid, type Vapid } from '#server/modules/integrations/notifications/push/vapid.ts'
import type { ReadNotifications } from '#server/modules/integrations/notifications/read-notifications.ts'
import { type Prepared, sendDue } from '#server/modules/integrations/notifications/send-due.ts'
import { WORDS } from '#server/modules/integrations/notifications/words.ts'
import {
  type OutsideConnections,
  openOutsideConnections,
} from '#server/modules/integrations/webhooks/outside-connections.ts'
import { type Outside, postOutside } from '#server/modules/integrations/webhooks/post-outside.ts'

/** What `public/push.js` shows: a notification, and where a click on it leads. */
interface PushMessage {
  title: string
  body: string
  url: string
  /** One that is sent again replaces the first. */
  tag: string
}

/** More than these are one notification. */
const SHOWN_ALONE = 5
/** For how long a push service keeps a message for a browser that is off. */
const KEPT_SECONDS = 24 * 3_600
/** The browser no longer has the subscription. */
const GONE = [404, 410]

interface Subscription {
  subscriptionId: string
  userId: string
  endpoint: string
  p256dh: string
  auth: string
}

const setAside = createSetAside('push')

/** Pushes what is due to all browsers of its people. True if more may be due. Safe to run in several processes. */
export function createPushTask(parts: NotificationParts, outside: Outside = parts): (ctx: Ctx) => Promise<boolean> {
  const connections = openOutsideConnections()
  return async (ctx) => {
    // Also before anything is due: people turn push on with the key.
    const vapid = await ensureVapid(ctx, parts)
    return sendDue<PushMessage[]>(ctx, {
      channel: 'push',
      setAside,
      prepare: (read) => toMessages(read, parts.deskUrl),
      send: (prepared) => pushToAll(ctx, prepared, { parts, vapid, outside, connections }),
    })
  }
}

function toMessages({ recipient, notifications }: ReadNotifications, deskUrl: string): PushMessage[] {
  const messages = notifications.map((notification) => {
    const { words, url, text } = describeNotification(notification, recipient, deskUrl)
    return { title: inHeader(words), body: inHeader(text ?? ''), url, tag: notification.notificationId }
  })
  if (messages.length <= SHOWN_ALONE) return messages
  const first = messages.slice(0, SHOWN_ALONE - 1)
  const title = WORDS[recipient.language].more(messages.length - first.length)
  return [...first, { title, body: '', url: `${deskUrl}/queue`, tag: messages.at(-1)?.tag ?? '' }]
}

interface Pushing {
  parts: NotificationParts
  vapid: Vapid
  outside: Outside
  connections: OutsideConnections
}

/** Sent once one browser has all of it; dropped for a person without any browser. */
async function pushToAll(ctx: Ctx, { taken, read, message: messages }: Prepared<PushMessage[]>, pushing: Pushing) {
  const browsers = await query<Subscription>(
    ctx,
    sql`
    select subscription_id, user_id, endpoint, p256dh, auth from push_subscription
    where user_id = ${taken.userId} order by subscription_id`,
  )
  const outcomes = await Promise.all(browsers.map((browser) => pushTo(browser, messages, pushing)))
  const isSent = outcomes.includes('sent')
  const gone = browsers.filter((_, index) => outcomes[index] === 'gone')
  notificationFigures.push.sent += outcomes.filter((outcome) => outcome === 'sent').length
  notificationFigures.push.failed += outcomes.filter((outcome) => outcome === 'failed').length
  const until = retryAt(taken, read.recipient, ctx.now())
  await inTransaction(ctx, async (ctx) => {
    if (isSent) await endNotifications(ctx, taken.notificationIds, 'sent')
    else if (!outcomes.includes('failed')) await endNotifications(ctx, taken.notificationIds, 'dropped')
    else if (until === undefined) await endNotifications(ctx, taken.notificationIds, 'failed')
    else await postponeNotifications(ctx, taken, until)
    if (gone.length > 0)
      await execute(
        ctx,
        sql`
        delete from push_subscription where subscription_id = any(${gone.map(({ subscriptionId }) => subscriptionId)}::text[])`,
      )
  })
}

type PushOutcome = 'sent' | 'failed' | 'gone'

/** The address is checked as those of endpoints are. */
async function pushTo(
  { endpoint, p256dh, auth }: Subscription,
  messages: PushMessage[],
  { parts, vapid: { publicKey, privateKey }, outside, connections }: Pushing,
): Promise<PushOutcome> {
  const subject = parts.deskUrl.startsWith('https:') ? parts.deskUrl : 'mailto:docket@localhost'
  const sendings = messages.map(async (message) => {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(message),
      { vapidDetails: { subject, publicKey, privateKey }, TTL: KEPT_SECONDS, contentEncoding: 'aes128gcm' },
    )
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    const stopping = new AbortController().signal
    return postOutside({ url: endpoint, headers: named, body: body ?? '', stopping }, outside, connections)
  })
  const answers = await Promise.all(sendings).catch(() => undefined)
  // Keys that nothing can be encrypted with: no browser made them.
  if (answers === undefined || answers.some(({ status = 0 }) => GONE.includes(status))) return 'gone'
  return answers.every(({ problem }) => problem === undefined) ? 'sent' : 'failed'
}
