import { z } from 'zod'
import { type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor } from '#server/core/paging.ts'
import { ResourceId } from '#server/core/text.ts'
import { SubjectType } from '#server/modules/review/decisions/schema.ts'
import type { DeskQueueInput, QueueItem, QueueOrder } from '#server/modules/review/queue/schema.ts'
import { urgentAt } from '#server/modules/review/urgency/schema.ts'

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
export function positionOf({ cursor, order }: Pick<DeskQueueInput, 'cursor' | 'order'>): Position | undefined {
  if (cursor === undefined) return undefined
  const position = fromCursor(cursor, Position)
  const isOfOrder =
    position &&
    (order === 'urgent') === (position.urgentAt !== undefined) &&
    (order === 'score') === (position.score !== undefined)
  if (!isOfOrder) throw new DomainError('INVALID_PARAMETERS', { detail: ['cursor: not valid'] })
  return position
}

/** Where a page ends. */
export function placeOf(order: QueueOrder, item: QueueItem): Position {
  const { heldAt, subjectType, subjectId } = item
  return {
    heldAt,
    subjectType,
    subjectId,
    ...(order === 'urgent' && { urgentAt: new Date(urgentAt(item)).toISOString() }),
    ...(order === 'score' && { score: item.score }),
  }
}

/** From this size on, the rest of a group is left out of later pages; that of a smaller one is folded by the desk. */
const LARGE_GROUP = 20
const LARGEST_KEPT = 5

/** With the keys of large groups on this page and on those before. */
export function withShown(shown: string[], items: QueueItem[]): { shown?: string[] } {
  const large = items.flatMap(({ alike }) => (alike && alike.count >= LARGE_GROUP ? alike : []))
  const keys = new Set([...shown, ...large.sort((a, b) => b.count - a.count).map(({ key }) => key)])
  return keys.size === 0 ? {} : { shown: [...keys].slice(0, LARGEST_KEPT) }
}

/** Of `review_item i`, where lists have items of several types or kinds, newest or oldest first. */
export function inPlaceOrder(order: QueueOrder): Sql {
  return order === 'newest'
    ? sql`i.placed_at desc, i.subject_id, i.subject_type`
    : sql`i.placed_at, i.subject_id desc, i.subject_type desc`
}

/** Compares items as `inPlaceOrder` sorts them. */
export function byPosition(order: QueueOrder): (one: QueueItem, other: QueueItem) => number {
  const inOrder = (one: string, other: string) => Number(one > other) - Number(one < other)
  return (one, other) => {
    const newestFirst =
      Date.parse(other.heldAt) - Date.parse(one.heldAt) ||
      inOrder(one.subjectId, other.subjectId) ||
      inOrder(one.subjectType, other.subjectType)
    return order === 'newest' ? newestFirst : -newestFirst
  }
}

/** Conditions for rows after the cursor in this order. */
export function afterPosition({ cursor, order }: Pick<DeskQueueInput, 'cursor' | 'order'>): Sql {
  const position = positionOf({ cursor, order })
  if (position === undefined) return sql.empty
  const at = new Date(position.heldAt)
  const subject = sql`(${position.subjectId}, ${position.subjectType})`
  return order === 'newest'
    ? sql`and i.placed_at <= ${at} and (i.placed_at < ${at} or (i.subject_id, i.subject_type) > ${subject})`
    : sql`and i.placed_at >= ${at} and (i.placed_at > ${at} or (i.subject_id, i.subject_type) < ${subject})`
}
