import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import { selectAlike } from '#server/modules/review/bulk/alike.ts'
import { type ClaimedRow, claimantOf } from '#server/modules/review/decisions/may-decide.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

export interface HeldItem extends ClaimedRow {
  subjectId: string
  communityId: string
  authorId: string
  claimedByName: string | null
}

/**
 * Locks what is held with the same text as an item, up to one more than a bulk action takes, in the order of their ids as decisions lock
 * them. Nothing, for an item that the caller doesn't review.
 */
export function lockAlike(ctx: Ctx, subject: Subject): Promise<HeldItem[]> {
  const { type, table, alias, id, authorId, communityId, isHeld } = subject.subjectType === 'post' ? POST : COMMENT
  return query<HeldItem>(
    ctx,
    sql`
    select ${id} as subject_id, ${communityId}, ${authorId} as author_id, ${alias}.claimed_by, ${alias}.claimed_until,
      ${claimantOf(type, alias, authorId)} as claimed_by_name
    from ${table} ${alias}
    where ${isHeld} and ${id} = any(array(${selectAlike(ctx, [subject], sql`i.subject_id`)}))
    order by ${id} for no key update of ${alias}`,
  )
}

const COMMENT = { ...reviewableComment, isHeld: sql`c.approval_status = 'pending' and not c.is_deleted` }
const POST = { ...reviewablePost, isHeld: sql`p.feed_type = 'reviewing' and not p.is_deleted` }
