import { sql } from '#server/core/db.ts'

/** Nobody sees post `p`, nor what is written on it. */
export const IS_GONE = sql`(p.is_deleted or p.feed_type = 'declined')`

/**
 * The post that `comment c` is on was erased, if it isn't there. Only the log says so: an import may have brought a comment without its post. Uses
 * audit_subject_type_subject_id_audit_id_idx.
 */
const WAS_ERASED = sql`(c.reference_type = 'post' and exists (
  select from audit erased
  where erased.subject_type = 'post' and erased.subject_id = c.reference_id and erased.action in ('post.erased', 'post.removed')))`

/** Nobody sees what `comment c` is on, which is post `p` if that is there. */
export const IS_PLACE_GONE = sql`coalesce(${IS_GONE}, ${WAS_ERASED}, false)`

/** Nobody sees what `comment c` is on; for a statement that hasn't joined its post. Uses post_pkey. */
export const IS_ON_NOTHING = sql`(
  select ${IS_PLACE_GONE} from (select) one left join post p on p.post_id = c.reference_id and c.reference_type = 'post')`

/** Nobody will ever see what `comment c` is on: a post that is only deleted or declined may come back, and its comments with it. */
export const IS_ON_ERASED = sql`(
  not exists (select from post p where p.post_id = c.reference_id) and coalesce(${WAS_ERASED}, false))`
