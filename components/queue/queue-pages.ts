import type { InfiniteData } from '@tanstack/react-query'
import type { QueuePage } from '#server/modules/review/queue/schema.ts'

/** The loaded pages of the queue. */
export type QueuePages = InfiniteData<QueuePage, string | null>
