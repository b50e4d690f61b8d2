import { type Sql, sql } from '#server/core/db.ts'

/** What a community can hold for review. */
export type HeldType = 'comment' | 'post'

/** What is held and pending: a condition on `review_item i`, worded exactly as its partial indexes are. */
export const IS_HELD = sql`i.state = 'waiting' and i.kind = 'held'`

/** The items of one type: a literal, so that the plan of a statement for comments isn't that of one for posts. */
export const isOfType = (type: HeldType): Sql => sql`i.subject_type = ${sql.raw(`'${type}'`)}`
