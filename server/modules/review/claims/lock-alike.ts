import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { IS_HELD, isOfType } from '#server/modules/content/items/held.ts'
import { SUBJECTS } from '#server/modules/ledger/reports/subjects.ts'
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
 * Locks what is held with the same text as an item, up to one more than a bulk action takes, content before items and in the order of their ids, as
 * decisions lock them. Nothing, for an item that the caller doesn't review.
 */
export function lockAlike(ctx: Ctx, subject: Subject): Promise<HeldItem[]> {
  const type = subject.subjectType === 'post' ? 'post' : 'comment'
  const { table, id } = SUBJECTS[type]
  return query<HeldItem>(
    ctx,
    sql`
    with locked as materialized (
      select ${id} as subject_id from ${table} where ${id} = any(array(${selectAlike(ctx, [subject], sql`i.subject_id`)}))
      order by ${id} for no key update)
    select i.subject_id, i.community_id, i.author_id, i.claimed_by, i.claimed_until, ${claimantOf(sql`i`, { authorId: sql`i.author_id` })} as claimed_by_name
    from locked join review_item i on ${isOfType(type)} and i.subject_id = locked.subject_id and ${IS_HELD}
    order by i.subject_id for no key update of i`,
  )
}
