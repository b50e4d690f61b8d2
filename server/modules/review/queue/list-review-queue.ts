import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import {
  CHILDREN_SHOWN,
  type EnvelopeRow,
  toEnvelope,
} from '#server/modules/content/comments/build-comments-envelope.ts'
import { COMMENT_COLUMNS } from '#server/modules/content/comments/view.ts'
import { atMost, hasDates, inOrder, matches } from '#server/modules/review/queue/held.ts'
import type { ReviewQueueAnswer, ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

/** Above this many skipped rows another query plan is used. */
const DEEP_SKIP = 1_000

/**
 * docs/interface/review-queue.md: the held comments of one community, newest request first, by skip and limit.
 * Fails with NOT_FOUND for a community the caller may not know of and FORBIDDEN for one they do not review.
 */
export async function listReviewQueue(
  ctx: Ctx,
  input: ReviewQueueQuery & { communityId: string },
): Promise<ReviewQueueAnswer> {
  await authorizeReview(ctx, input.communityId)

  return toEnvelope(ctx, await readPage(ctx, input))
}

/**
 * Community reviewers and network moderators only. A known community without the permission is 403; an unknown one is 404, and
 * so is a private one that the caller may not see.
 */
async function authorizeReview(ctx: Ctx, communityId: string): Promise<void> {
  const community = await queryOne<{ mayReview: boolean }>(
    ctx,
    sql`
    select ${mayInCommunity(ctx, 'reviewComments', sql`k.community_id`)} as "mayReview"
    from community k where k.community_id = ${communityId} and not k.is_deleted and ${isVisible(ctx)}`,
  )
  if (community === undefined) throw new DomainError('NOT_FOUND')
  if (!community.mayReview) throw new DomainError('FORBIDDEN')
}

/**
 * Reads the page in order, then the replies to its comments; uses comment_held or comment_held_by_written, then
 * comment_replies.
 */
function readPage(
  ctx: Ctx,
  { communityId, options, ...filter }: ReviewQueueQuery & { communityId: string },
): Promise<EnvelopeRow[]> {
  const order = inOrder('newest', { hasDates: hasDates(filter), deep: options.skip > DEEP_SKIP })
  return query<EnvelopeRow>(
    ctx,
    sql`
    with page as materialized (
      select c.comment_id, c.queued_at from comment c
      where c.community_id = ${communityId} and ${matches(filter)}
      order by ${order} ${atMost(options.limit)} ${options.skip > 0 ? sql`offset ${options.skip} ${NO_PREPARE}` : sql.empty})
    select ${COMMENT_COLUMNS}, false as "isChild", page.queued_at as page_time, page.comment_id as page_id
    from page join comment c on c.comment_id = page.comment_id join network_user u on u.user_id = c.user_id
    union all
    select ${COMMENT_COLUMNS}, true, page.queued_at, page.comment_id
    from page cross join lateral (
      select * from comment child where child.parent_id = page.comment_id and not child.is_deleted
      order by child.created_at, child.comment_id ${atMost(CHILDREN_SHOWN)}) c
    join network_user u on u.user_id = c.user_id
    order by "isChild", page_time desc, page_id, "createdAt", "commentId"`,
  )
}
