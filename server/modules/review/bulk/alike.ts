import { type Sql, sql } from '#server/core/db.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'
import { NO_TEXT_KEY } from '#server/modules/content/reviewable/text-key.ts'
import { BULK_LIMIT } from '#server/modules/review/bulk/schema.ts'
import { IS_HELD_POST } from '#server/modules/review/queue/desk-filter.ts'
import { atMost, IS_HELD } from '#server/modules/review/queue/held.ts'

/** Comments or posts, and the condition that one is held. */
export interface Holdable extends Reviewable {
  isHeld: Sql
}

export const HOLDABLE = {
  comment: { ...reviewableComment, isHeld: IS_HELD },
  post: { ...reviewablePost, isHeld: IS_HELD_POST },
} as const satisfies Record<string, Holdable>

/** One more than a bulk action takes. */
export const MOST_ALIKE = atMost(BULK_LIMIT + 1)

/**
 * Columns of what is held with the text key of the row `one`, newest first. A key names a type and a community: who reviews one item with it
 * reviews all of them. Uses comment_alike or post_alike.
 */
export function selectAlike({ table, alias, id, isHeld }: Holdable, columns: Sql): Sql {
  return sql`
    select ${columns} from ${table} ${alias}
    where ${isHeld} and ${alias}.text_key = one.text_key and ${alias}.text_key <> ${NO_TEXT_KEY}::uuid
    order by ${alias}.queued_at desc, ${id} ${MOST_ALIKE}`
}
