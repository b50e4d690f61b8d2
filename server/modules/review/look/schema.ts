import { z } from 'zod'
import { Subject } from '#server/modules/review/decisions/schema.ts'
import type { OwnDay } from '#server/modules/review/insights/schema.ts'
import { OwnDayInput } from '#server/modules/review/insights/schema.ts'
import { ItemInput, type ReviewItem } from '#server/modules/review/items/schema.ts'
import { HeldLease, type Taken } from '#server/modules/review/leases/schema.ts'
import { DeskFilter, type MatchingCount, type QueueCounts } from '#server/modules/review/queue/schema.ts'

/** The item a reviewer has opened, and what the desk reads at that moment. */
export const LookInput = z.object({
  subject: Subject,
  /** The lease on the item that the caller looked at before, which ends. */
  instead: HeldLease.optional(),
  /** The next items, to be read ahead. */
  ahead: z.array(ItemInput).max(4).default([]),
  /** Whether the counts are read again: all, the caller's own of the day, and those of a filter. */
  counts: OwnDayInput.extend({ filter: DeskFilter.optional() }).optional(),
})
export type LookInput = z.output<typeof LookInput>

export interface Look {
  lease: Taken
  /** In the order requested; null for an item that the caller may no longer review. */
  ahead: (ReviewItem | null)[]
  counts?: { all: QueueCounts; ownDay: OwnDay; matching?: MatchingCount }
}
