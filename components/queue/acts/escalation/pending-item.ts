import type { PendingItem, QueueItem } from '#server/modules/review/queue/schema.ts'

/** What is pending, and as which kind, for requests about it. */
export const pendingItem = ({ kind, subjectType, subjectId }: QueueItem): PendingItem => ({
  kind,
  subjectType,
  subjectId,
})
