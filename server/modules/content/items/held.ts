import { type Sql, sql } from '#server/core/db.ts'

/** What a community can hold for review. */
export type HeldType = 'comment' | 'post'

/** What is held and pending: a condition on `review_item i`, worded exactly as its partial indexes are. */
export const IS_HELD = sql`i.state = 'waiting' and i.kind = 'held'`

/** Whether the queue of any `review_item i` is open: that of a deleted community is closed. */
export const IS_QUEUE_OPEN = sql`coalesce((select not k.is_deleted from community k where k.community_id = i.community_id), true)`

/** What is pending in an open queue: a condition on any `review_item i`. */
export const IS_PENDING = sql`(i.state = 'waiting' and ${IS_QUEUE_OPEN})`

/** The items of one type: a literal, so that the plan of a statement for comments isn't that of one for posts. */
export const isOfType = (type: HeldType): Sql => sql`i.subject_type = ${sql.raw(`'${type}'`)}`
