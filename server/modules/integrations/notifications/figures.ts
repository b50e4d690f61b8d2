import type { NotificationChannel } from '#server/modules/integrations/notifications/schema.ts'

/** Messages of this process since it started. */
export type NotificationFigures = Record<NotificationChannel | 'chat', { sent: number; failed: number }>

/** Shared by a process's tasks and its metrics. */
export const notificationFigures: NotificationFigures = {
  mail: { sent: 0, failed: 0 },
  push: { sent: 0, failed: 0 },
  chat: { sent: 0, failed: 0 },
}
