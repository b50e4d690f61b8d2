import { NO_PREPARE, Prisma, type Sql } from '#server/core/db.ts'
import { withinDays } from '#server/core/within-days.ts'

/** What waits for a decision: a condition on `comment c`, worded as the partial indexes are. */
export const IS_HELD = Prisma.sql`c.approval_status = 'pending' and not c.is_deleted`

interface WrittenBetween {
  postId?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  timeZone: string
}

/** What the filter asks of a held comment `c`, beside its community. */
export function matches(filter: WrittenBetween): Sql {
  return Prisma.sql`${IS_HELD} ${onPost(filter.postId)} ${withinDays(filter, Prisma.sql`c.created_at`)}`
}

/** Whether the filter narrows by when a comment was written. */
export function hasDates(filter: WrittenBetween): boolean {
  return filter.startDate !== undefined || filter.endDate !== undefined
}

export type Order = 'newest' | 'oldest'

/**
 * The queue's order: by the time of holding, ties by id (docs/interface/review-queue.md#order); oldest first is its exact reverse.
 * With dates the rows come best-first out of the index comment_held_by_written, by their distance to a time beyond all;
 * without, straight from comment_held. `deep` says that many rows are skipped: then reading the queue in order and leaving
 * out what was written elsewhere is quicker, or sorting the few that match, which the planner chooses.
 */
export function inOrder(order: Order, way: { hasDates: boolean; deep: boolean }): Sql {
  if (way.hasDates && !way.deep) {
    return order === 'newest'
      ? Prisma.sql`c.queued_at <-> timestamptz '2300-01-01', c.comment_id`
      : Prisma.sql`c.queued_at <-> timestamptz '1900-01-01', c.comment_id desc`
  }
  return order === 'newest' ? Prisma.sql`c.queued_at desc, c.comment_id` : Prisma.sql`c.queued_at, c.comment_id desc`
}

/** A limit stands in the statement as a number: the planner must know that it is small. */
export function atMost(limit: number): Sql {
  return Prisma.raw(`limit ${Math.trunc(limit)}`)
}

function onPost(postId: string | undefined): Sql {
  return postId === undefined
    ? Prisma.empty
    : Prisma.sql`and c.reference_type = 'post' and c.reference_id = ${postId} ${NO_PREPARE}`
}
