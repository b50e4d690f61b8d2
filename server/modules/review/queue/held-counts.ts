import { sql } from '#server/core/db.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'

/** What is held in each community: `kind`, `subject_id` and `total`, exact with the open deltas. */
export const HELD_COUNTS = sql`
  select kind, subject_id, sum(total) as total
  from (
    select kind, subject_id, total from tally where kind in ('held_comments', 'held_posts')
    union all
    select kind, subject_id, delta from tally_delta where kind in ('held_comments', 'held_posts')) counts
  group by kind, subject_id`

/** What is escalated in each community: `community_id`, `comments` and `posts`. */
export const ESCALATED_COUNTS = sql`
  select community_id, count(*) filter (where subject_type = 'comment') as comments, count(*) filter (where subject_type = 'post') as posts
  from review_item i where ${IS_HELD} and i.escalated_at is not null group by community_id`
