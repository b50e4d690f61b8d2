import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { type HeldType, isOfType } from '#server/modules/content/items/held.ts'

/** Whether something is pending, and its claim. */
interface HeldItem {
  isWaiting: boolean
  claimedBy: string | null
  claimedUntil: Date | null
}

const NO_ITEM: HeldItem = { isWaiting: false, claimedBy: null, claimedUntil: null }

/** Locks the item of a comment or post, after its own row: nobody decides on it, claims it, or deletes the post it is on. Uses review_item_pkey. */
export async function lockHeldItem(ctx: Ctx, type: HeldType, subjectId: string): Promise<HeldItem> {
  const item = await queryOne<HeldItem>(
    ctx,
    sql`
    select i.state = 'waiting' as is_waiting, i.claimed_by, i.claimed_until from review_item i
    where ${isOfType(type)} and i.subject_id = ${subjectId} and i.kind = 'held' for no key update`,
  )
  return item ?? NO_ITEM
}
