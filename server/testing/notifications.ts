import { keyFor } from '#server/core/secret.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { TEST_SECRET } from '#server/testing/ctx.ts'

/** Mail servers of tests listen on loopback. */
export const testNotifications: NotificationParts = {
  key: keyFor(TEST_SECRET, 'notifications'),
  linkKey: keyFor(TEST_SECRET, 'stop links'),
  allowsLoopback: true,
  deskUrl: 'https://desk.example',
  smtp: undefined,
}
