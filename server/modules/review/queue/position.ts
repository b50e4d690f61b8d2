import { z } from 'zod'
import { SubjectType } from '#server/modules/review/queue/schema.ts'

/** The last row of a page of the queue, as its cursor contains it. */
export const Position = z.object({
  heldAt: z.iso.datetime(),
  subjectType: SubjectType,
  subjectId: z.string(),
  /** The keys of large groups on the pages before. */
  shown: z.array(z.guid()).max(5).optional(),
})
export type Position = z.output<typeof Position>
