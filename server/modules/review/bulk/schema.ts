import { z } from 'zod'
import { text } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'
import { DeskFilter, HeldOutcome, Reason, Subject } from '#server/modules/review/queue/schema.ts'

/** The most that is decided as one. */
export const BULK_LIMIT = 1_000

const BulkId = z.uuid()

/** An item, at the version one saw. */
export const SeenItem = Subject.extend({ version: Version })
export type SeenItem = z.output<typeof SeenItem>

/** What one chose: items by themselves, or all that match a filter, newest first, as far as the limit goes. */
export const PreviewBulk = z.union([
  z.object({ items: z.array(SeenItem).min(1).max(BULK_LIMIT) }),
  z.object({ matching: DeskFilter }),
])
export type PreviewBulk = z.output<typeof PreviewBulk>

/** Exactly what would happen. */
export interface BulkPreview {
  items: PreviewedItem[]
  /** More match than can be decided as one. */
  isCut: boolean
}

export interface PreviewedItem extends SeenItem {
  excerpt: string
  isFlagged: boolean
  authorName: string
  communityName: string
  /** Why it cannot be done: it is one's own, it waits no longer or was edited, or is not there for the caller. */
  refusal?: BulkError
  /** Who decided it meanwhile, where that is why. */
  decided?: { outcome: HeldOutcome; decidedByName: string; decidedAt: string }
}
export const BULK_ERRORS = ['FORBIDDEN', 'CHANGED', 'NOT_FOUND'] as const
export type BulkError = (typeof BULK_ERRORS)[number]

export const StartBulk = z.object({
  /** Made by the caller: sent twice, it is begun once. */
  bulkId: BulkId,
  outcome: HeldOutcome,
  reasonId: text({ min: 1, max: 100 }).optional(),
  reason: Reason.optional(),
  items: z
    .array(SeenItem)
    .min(1)
    .max(BULK_LIMIT)
    .refine(
      (items) =>
        new Set(items.map(({ subjectType, subjectId }) => `${subjectType}:${subjectId}`)).size === items.length,
      'must not contain the same item twice',
    ),
})
export type StartBulk = z.output<typeof StartBulk>

export const BulkInput = z.object({ bulkId: BulkId })
export type BulkInput = z.output<typeof BulkInput>

/** How far it is. `waiting` are still to be done; of those that could not be done, or taken back, it says why. */
export interface BulkProgress {
  bulkId: string
  outcome: HeldOutcome
  startedAt: string
  total: number
  waiting: number
  done: number
  undone: number
  refused: (SeenItem & { failure: string })[]
  isFinished: boolean
  isUndone: boolean
  /** Until when all of it can be taken back: known once it is finished. */
  undoUntil?: string
  /** How long that still was at the time of the answer: clocks differ. */
  undoLeftMs?: number
}
