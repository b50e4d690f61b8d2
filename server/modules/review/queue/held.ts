import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { withinDays } from '#server/core/within-days.ts'
import type { QueueOrder } from '#server/modules/review/queue/schema.ts'

/** A pending item: a condition on `comment c`, worded exactly as the partial indexes are. */
export const IS_HELD = sql`c.approval_status = 'pending' and not c.is_deleted`

export type HeldType = 'comment' | 'post'

/** How statements name the items of each type. */
export const HELD_TABLES = {
  comment: { table: sql`comment c`, alias: sql`c`, id: sql`c.comment_id` },
  post: { table: sql`post p`, alias: sql`p`, id: sql`p.post_id` },
}

interface WrittenBetween {
  postId?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  timeZone: string
}

/** The filter's conditions on a held comment `c`, except its community. */
export function matches(filter: WrittenBetween): Sql {
  return sql`${IS_HELD} ${onPost(filter.postId)} ${withinDays(filter, sql`c.created_at`)}`
}

/** Whether the filter restricts when a comment was written. */
export function hasDates(filter: WrittenBetween): boolean {
  return filter.startDate !== undefined || filter.endDate !== undefined
}

/** How urgent a row of `c` or `p` is: its index has exactly this expression. */
export function urgentAtOf(alias: Sql): Sql {
  return sql`urgent_at(${alias}.queued_at, ${alias}.target_minutes, ${alias}.rule_minutes, ${alias}.signal_minutes, ${alias}.reach_minutes,
    ${alias}.flag_count)`
}

/**
 * The queue's order: by the time it was held, ties by id (docs/interface/review-queue.md#order); oldest first is its exact
 * reverse; the most urgent first by their sum, ties by id. With dates the rows come in order from the index comment_held_by_written or
 * comment_urgent_by_written, or from those like them on a post, by their distance to a time beyond all; without dates, from comment_held or comment_urgent. `deep` says
 * that many rows are skipped: then it is faster to read the queue in order and leave out what was written at other times, or to sort
 * the few matches, which the planner chooses.
 */
export function inOrder(order: QueueOrder, way: { hasDates: boolean; deep: boolean }): Sql {
  if (order === 'urgent') {
    const urgent = urgentAtOf(sql`c`)
    return way.hasDates ? sql`${urgent} <-> timestamp '1900-01-01', c.comment_id` : sql`${urgent}, c.comment_id`
  }
  if (way.hasDates && !way.deep) {
    return order === 'newest'
      ? sql`c.queued_at <-> timestamptz '2300-01-01', c.comment_id`
      : sql`c.queued_at <-> timestamptz '1900-01-01', c.comment_id desc`
  }
  return order === 'newest' ? sql`c.queued_at desc, c.comment_id` : sql`c.queued_at, c.comment_id desc`
}

/** A literal limit in the statement: the planner must know that it is small. */
export function atMost(limit: number): Sql {
  return sql.raw(`limit ${Math.trunc(limit)}`)
}

function onPost(postId: string | undefined): Sql {
  return postId === undefined
    ? sql.empty
    : sql`and c.reference_type = 'post' and c.reference_id = ${postId} ${NO_PREPARE}`
}
