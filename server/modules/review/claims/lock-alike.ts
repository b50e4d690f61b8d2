import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { mayReviewContent } from '#server/modules/content/reviewable/reviewable.ts'
import { HOLDABLE, selectAlike } from '#server/modules/review/bulk/alike.ts'
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
export function lockAlike(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<HeldItem[]> {
  const kind = subjectType === 'post' ? HOLDABLE.post : HOLDABLE.comment
  const { type, table, alias, id, authorId, communityId, isHeld } = kind
  return query<HeldItem>(
    ctx,
    sql`
    select ${id} as subject_id, ${communityId}, ${authorId} as author_id, ${alias}.claimed_by, ${alias}.claimed_until,
      ${claimantOf(type, alias, authorId)} as claimed_by_name
    from ${table} ${alias}
    where ${isHeld} and ${id} = any(array(
      select ${id} from (
        select ${alias}.text_key from ${table} ${alias} where ${id} = ${subjectId} and ${mayReviewContent(ctx, kind)}) one
      cross join lateral (${selectAlike(kind, id)}) ${alias}))
    order by ${id} for no key update of ${alias}`,
  )
}
