import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { NO_TEXT_KEY } from '#server/modules/content/reviewable/text-key.ts'
import { BULK_LIMIT } from '#server/modules/review/bulk/schema.ts'
import { IS_HELD_POST } from '#server/modules/review/queue/desk-filter.ts'
import { atMost, IS_HELD } from '#server/modules/review/queue/held.ts'
import { type ClaimedRow, claimantOf } from '#server/modules/review/queue/may-decide.ts'
import type { Subject } from '#server/modules/review/queue/schema.ts'

export interface HeldItem extends ClaimedRow {
  subjectId: string
  communityId: string
  authorId: string
  claimedByName: string | null
}

/**
 * Locks what is held with the same text as an item, up to one more than a bulk action takes, in the order of their ids as decisions lock
 * them. A key names a type and a community: who reviews the item reviews all of them. Nothing, for an item that the caller doesn't review.
 * Uses comment_alike or post_alike.
 */
export function lockAlike(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<HeldItem[]> {
  const most = atMost(BULK_LIMIT + 1)
  return query<HeldItem>(
    ctx,
    subjectType === 'post'
      ? sql`
        select p.post_id as subject_id, p.community_id, p.posted_user_id as author_id, p.claimed_by, p.claimed_until,
          ${claimantOf('post', sql`p`, sql`p.posted_user_id`)} as claimed_by_name
        from post p
        where ${IS_HELD_POST} and p.post_id = any(array(
          select p.post_id from post one cross join lateral (
            select p.post_id from post p
            where ${IS_HELD_POST} and p.text_key = one.text_key and p.text_key <> ${NO_TEXT_KEY}::uuid
            order by p.queued_at desc, p.post_id ${most}) p
          where one.post_id = ${subjectId} and ${mayInCommunity(ctx, 'reviewPosts', sql`one.community_id`)}))
        order by p.post_id for no key update of p`
      : sql`
        select c.comment_id as subject_id, c.community_id, c.user_id as author_id, c.claimed_by, c.claimed_until,
          ${claimantOf('comment', sql`c`, sql`c.user_id`)} as claimed_by_name
        from comment c
        where ${IS_HELD} and c.comment_id = any(array(
          select c.comment_id from comment one cross join lateral (
            select c.comment_id from comment c
            where ${IS_HELD} and c.text_key = one.text_key and c.text_key <> ${NO_TEXT_KEY}::uuid
            order by c.queued_at desc, c.comment_id ${most}) c
          where one.comment_id = ${subjectId} and ${mayInCommunity(ctx, 'reviewComments', sql`one.community_id`)}))
        order by c.comment_id for no key update of c`,
  )
}
