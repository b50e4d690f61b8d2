import { z } from 'zod'
import { text } from '#server/core/text.ts'
import { LinkSignature } from '#server/core/wire/schema.ts'
import {
  DeskFilterFields,
  ENDS_TOO_EARLY,
  hasItsOrder,
  hasItsSignal,
  NOT_ITS_ORDER,
  NOT_ITS_SIGNAL,
  QueueOrder,
  startsBeforeItEnds,
} from '#server/modules/review/queue/schema.ts'

/** The queue to export: filtered and sorted as its list is. */
export const QueueExportInput = z
  .object({ ...DeskFilterFields, order: QueueOrder.default('newest') })
  .refine(startsBeforeItEnds, ENDS_TOO_EARLY)
  .refine(hasItsSignal, NOT_ITS_SIGNAL)
  .refine(hasItsOrder, NOT_ITS_ORDER)
export type QueueExportInput = z.output<typeof QueueExportInput>

/** A link to the queue as a file. */
export const QueueLink = LinkSignature.extend({ filter: text({ max: 5_000 }) })
export type QueueLink = z.output<typeof QueueLink>
