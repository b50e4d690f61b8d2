import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { withinDays } from '#server/core/within-days.ts'
import { type HeldType, IS_HELD, IS_PENDING } from '#server/modules/content/items/held.ts'
import type { QueueOrder } from '#server/modules/review/queue/schema.ts'

const REVIEW = { comment: 'reviewComments', post: 'reviewPosts' } as const

/** Whether the caller reviews held items of this type in the community of the column. */
export function mayReviewType(ctx: Ctx, type: HeldType, communityColumn: Sql): Sql {
  return mayInCommunity(ctx, REVIEW[type], communityColumn)
}

/** Whether the caller reviews the held item `i`. */
export function mayReviewHeld(ctx: Ctx): Sql {
  const may = (type: HeldType) => mayReviewType(ctx, type, sql`i.community_id`)
  return sql`case i.subject_type when 'comment' then ${may('comment')} else ${may('post')} end`
}

/** Whether `review_item i` is in a queue of the caller's. */
export function isInOwnQueue(ctx: Ctx): Sql {
  return sql`${IS_HELD} and ${mayReviewHeld(ctx)} and ${IS_PENDING}`
}

/** The rows `i` of these held items, also of those that no longer wait. Uses review_item_pkey. */
export function itemsOf(subjects: { subjectType: string; subjectId: string }[]): Sql {
  const types = subjects.map(({ subjectType }) => subjectType)
  const ids = subjects.map(({ subjectId }) => subjectId)
  return sql`
    unnest(${types}::text[], ${ids}::text[]) as one(subject_type, subject_id)
    join review_item i on i.subject_type = one.subject_type and i.subject_id = one.subject_id and i.kind = 'held'`
}

interface WrittenBetween {
  postId?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  timeZone: string
}

/** What a filter says of the post and of the time of writing: conditions on a `review_item i`. */
export function isWritten(filter: WrittenBetween): Sql {
  return sql`${onPost(filter.postId)} ${withinDays(filter, sql`i.written_at`)}`
}

/** Whether `review_item i` is held, and matches the filter's post and time of writing. */
export function matches(filter: WrittenBetween): Sql {
  return sql`${IS_HELD} ${isWritten(filter)}`
}

/** Whether the filter restricts when an item was written. */
export function hasDates(filter: WrittenBetween): boolean {
  return filter.startDate !== undefined || filter.endDate !== undefined
}

/**
 * The queue's order: by the time it was held, ties by id (docs/interface/review-queue.md#order); oldest first is its exact
 * reverse; the most urgent first by their sum, ties by id. With dates the rows come in order from the index review_item_by_written or
 * review_item_urgent_by_written, or from review_item_on_post_by_written, by their distance to a time beyond all; without dates, from
 * review_item_in_community or review_item_urgent. `deep` says that many rows are skipped: then it is faster to read the queue in order and leave out
 * what was written at other times, or to sort the few matches, which the planner chooses.
 */
export function inOrder(order: QueueOrder, way: { hasDates: boolean; deep: boolean }): Sql {
  if (order === 'urgent') {
    return way.hasDates ? sql`i.urgent_at <-> timestamp '1900-01-01', i.subject_id` : sql`i.urgent_at, i.subject_id`
  }
  if (way.hasDates && !way.deep) {
    return order === 'newest'
      ? sql`i.placed_at <-> timestamptz '2300-01-01', i.subject_id`
      : sql`i.placed_at <-> timestamptz '1900-01-01', i.subject_id desc`
  }
  return order === 'newest' ? sql`i.placed_at desc, i.subject_id` : sql`i.placed_at, i.subject_id desc`
}

/** A literal limit in the statement: the planner must know that it is small. */
export function atMost(limit: number): Sql {
  return sql.raw(`limit ${Math.trunc(limit)}`)
}

function onPost(postId: string | undefined): Sql {
  return postId === undefined ? sql.empty : sql`and i.post_id = ${postId} ${NO_PREPARE}`
}
