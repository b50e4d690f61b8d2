import type { Ctx } from '#server/core/ctx.ts'
import { execute, listOf, queryOne, sql } from '#server/core/db.ts'
import { type HeldType, IS_PENDING, isOfType } from '#server/modules/content/items/held.ts'

/**
 * Locks the posts that comments are on, after these and before their items. Who deletes a post has locked it `for update`, so that a comment is
 * put in the queue either before, and is seen by who deletes, or after, and sees that the post is gone.
 */
export async function lockPlaces(ctx: Ctx, commentIds: string[]): Promise<void> {
  await execute(
    ctx,
    sql`
    select from post where post_id in (
      select coalesce(place.parent_post_id, place.post_id) from comment c join post place on place.post_id = c.reference_id
      where c.comment_id = any(${listOf(commentIds)}) and c.reference_type = 'post')
    order by post_id for key share`,
  )
}

/** Whether something is pending, and its claim. */
interface HeldItem {
  isWaiting: boolean
  claimedBy: string | null
  claimedUntil: Date | null
}

const NO_ITEM: HeldItem = { isWaiting: false, claimedBy: null, claimedUntil: null }

/** Locks the item of a comment or post whose row is locked: nobody decides on it, claims it, or deletes the post it is on. Uses review_item_pkey. */
export async function lockHeldItem(ctx: Ctx, type: HeldType, subjectId: string): Promise<HeldItem> {
  if (type === 'comment') await lockPlaces(ctx, [subjectId])
  const item = await queryOne<HeldItem>(
    ctx,
    sql`
    select ${IS_PENDING} as is_waiting, i.claimed_by, i.claimed_until from review_item i
    where ${isOfType(type)} and i.subject_id = ${subjectId} and i.kind = 'held' for no key update of i`,
  )
  return item ?? NO_ITEM
}
