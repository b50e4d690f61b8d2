import { z } from 'zod'
import { text } from '#server/core/text.ts'
import { LinkSignature } from '#server/core/wire/schema.ts'
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

/** The queue to export: filtered and sorted as its list is. */
export const QueueExportInput = z
  .object({ ...DeskFilterFields, order: QueueOrder.default('newest') })
  .refine(areDatesInOrder, DATES_NOT_IN_ORDER)
  .refine(isScoreRangeValid, INVALID_SCORE_RANGE)
  .refine(isOrderAllowed, ORDER_NOT_ALLOWED)
export type QueueExportInput = z.output<typeof QueueExportInput>

/** A link to the queue as a file. */
export const QueueLink = LinkSignature.extend({ filter: text({ max: 5_000 }) })
export type QueueLink = z.output<typeof QueueLink>
