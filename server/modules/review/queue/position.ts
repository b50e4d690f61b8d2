import { z } from 'zod'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor } from '#server/core/paging.ts'
import { ResourceId } from '#server/core/text.ts'
import { SubjectType } from '#server/modules/review/decisions/schema.ts'
import type { DeskQueueInput } from '#server/modules/review/queue/schema.ts'

/** The last row of a page of the queue, as its cursor contains it. */
export const Position = z.object({
  heldAt: z.iso.datetime(),
  subjectType: SubjectType,
  subjectId: ResourceId,
  /** Where the most urgent come first. */
  urgentAt: z.iso.datetime().optional(),
  /** Where the highest score comes first. */
  score: z.number().optional(),
  /** The keys of large groups on the pages before. */
  shown: z.array(z.guid()).max(5).optional(),
})
export type Position = z.output<typeof Position>

/** Undefined for the first page. Fails with INVALID_PARAMETERS for a cursor that is not of a list of the queue. */
export function positionOf({
  cursor,
  order,
}: Pick<DeskQueueInput, 'cursor'> & Partial<Pick<DeskQueueInput, 'order'>>): Position | undefined {
  if (cursor === undefined) return undefined
  const position = fromCursor(cursor, Position)
  const isOfOrder =
    position &&
    (order === 'urgent') === (position.urgentAt !== undefined) &&
    (order === 'score') === (position.score !== undefined)
  if (!isOfOrder) throw new DomainError('INVALID_PARAMETERS', { detail: ['cursor: not valid'] })
  return position
}
