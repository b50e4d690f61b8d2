import { createHash } from 'node:crypto'
import { describeNotification } from '#server/modules/integrations/notifications/describe-notification.ts'
import { inHeader, type Mail } from '#server/modules/integrations/notifications/mail/send-mail.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import type { ReadNotifications } from '#server/modules/integrations/notifications/read-notifications.ts'
import { signStop } from '#server/modules/integrations/notifications/stop-link.ts'
import { WORDS } from '#server/modules/integrations/notifications/words.ts'

const NOTIFICATIONS_A_MAIL = 50

/**
 * One mail with all notifications of a person, in plain text: each in one line with its link. It can be stopped with one click, also by the mail program (RFC
 * 8058). A mail that is sent again has the same id.
 */
export function composeMail(
  { recipient, notifications }: ReadNotifications,
  { deskUrl, linkKey }: NotificationParts,
  now: Date,
): Mail {
  const words = WORDS[recipient.language]
  const described = notifications.map((notification) => describeNotification(notification, recipient, deskUrl))
  const [only] = described
  const topics = [...new Set(notifications.map(({ topic }) => topic))].toSorted()
  const token = signStop(linkKey, { staffId: recipient.staffId, topics }, now)
  const shown = described.slice(0, NOTIFICATIONS_A_MAIL)
  const left = described.length - shown.length
  const parts = [
    ...shown.map(({ words, url, text }) =>
      [inHeader(words), ...(text === undefined ? [] : [`> ${inHeader(text)}`]), url].join('\n'),
    ),
    ...(left === 0 ? [] : [words.more(left)]),
    ['-- ', words.stop, `${deskUrl}/stop?token=${token}`, words.settings, `${deskUrl}/settings/notifications`].join(
      '\n',
    ),
  ]
  return {
    to: { name: recipient.recipientName, address: recipient.email },
    subject: only !== undefined && described.length === 1 ? only.words : words.several(described.length),
    text: `${parts.join('\n\n')}\n`,
    messageId: `<${digestOf(notifications)}@${new URL(deskUrl).hostname}>`,
    headers: {
      'List-Unsubscribe': `<${deskUrl}/api/notifications/stop?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

function digestOf(notifications: ReadNotifications['notifications']): string {
  const ids = notifications.map(({ notificationId }) => notificationId).join(' ')
  return `notification-${createHash('sha256').update(ids).digest('hex').slice(0, 32)}`
}
