import { sql } from '#server/core/db.ts'

/** Whether `comment c` has more than text, as an SQL condition. */
export const COMMENT_HAS_FILES = sql`c.data_types <> '{}' and c.data_types <> '{text}'`

/** Whether `post p` has more than text, as an SQL condition. Uses post_parent_post_id_idx. */
export const POST_HAS_FILES = sql`(
  coalesce(p.data_type, 'text') <> 'text' or exists (select from post child where child.parent_post_id = p.post_id))`
