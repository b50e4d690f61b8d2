import type { NoticeChannel } from '#server/modules/integrations/notices/schema.ts'

/** Messages of this process since it started. */
export type NoticeFigures = Record<NoticeChannel, { sent: number; failed: number }>

/** Shared by a process's tasks and its metrics. */
export const noticeFigures: NoticeFigures = { mail: { sent: 0, failed: 0 }, push: { sent: 0, failed: 0 } }
