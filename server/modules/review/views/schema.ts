import { z } from 'zod'
import { TimeZone } from '#server/core/calendar.ts'
import { PERIODS } from '#server/core/periods.ts'
import { text, visibleText } from '#server/core/text.ts'
import {
  areDatesInOrder,
  DATES_NOT_IN_ORDER,
  DeskFilterFields,
  INVALID_SCORE_RANGE,
  isOrderAllowed,
  isScoreRangeValid,
  ORDER_NOT_ALLOWED,
  QueueOrder,
} from '#server/modules/review/queue/schema.ts'

/**
 * What a view stores: the queue's filters and order. The time zone is stored only with dates. With a period, the dates are read as those of the
 * period at that time.
 */
export const ViewFilters = z
  .object({
    ...DeskFilterFields,
    timeZone: TimeZone.optional(),
    period: z.enum(PERIODS).optional(),
    order: QueueOrder.default('newest'),
  })
  .refine(areDatesInOrder, DATES_NOT_IN_ORDER)
  .refine(isScoreRangeValid, INVALID_SCORE_RANGE)
  .refine(isOrderAllowed, ORDER_NOT_ALLOWED)
export type ViewFilters = z.output<typeof ViewFilters>

const ViewName = visibleText({ max: 60 })
const ViewId = text({ min: 1, max: 100 })

export const SaveViewInput = z.object({
  name: ViewName,
  filters: ViewFilters,
  /** For all reviewers, instead of the caller alone. */
  isShared: z.boolean().default(false),
})
export type SaveViewInput = z.output<typeof SaveViewInput>

/** Absent fields stay unchanged. */
export const ChangeViewInput = z.object({
  viewId: ViewId,
  name: ViewName.optional(),
  filters: ViewFilters.optional(),
})
export type ChangeViewInput = z.output<typeof ChangeViewInput>

export const SetDefaultViewInput = z.object({ viewId: ViewId, isDefault: z.boolean() })
export type SetDefaultViewInput = z.output<typeof SetDefaultViewInput>

export const DeleteViewInput = z.object({ viewId: ViewId })
export type DeleteViewInput = z.output<typeof DeleteViewInput>

/** How many items a view contains; `isLowerBound` where there are more. */
export interface ViewCount {
  viewId: string
  count: number
  isLowerBound: boolean
}

/** A saved view of the queue, as the caller sees it. */
export interface SavedView {
  viewId: string
  name: string
  filters: ViewFilters
  isShared: boolean
  /** Whether it opens by default. */
  isDefault: boolean
  isOwn: boolean
  /** Whether the caller may rename, change and delete it, and whether they may make it a default. */
  mayChange: boolean
  mayMakeDefault: boolean
  /** Set for a named queue: whether the caller is a member. It is managed with the rules of its space. */
  queue?: { isMember: boolean }
}
