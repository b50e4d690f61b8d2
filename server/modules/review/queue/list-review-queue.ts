import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { listOf, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { CHILDREN_SHOWN, toEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { type FoundComments, findComments, NO_COMMENTS } from '#server/modules/content/comments/find-comments.ts'
import { isOfType } from '#server/modules/content/items/held.ts'
import { atMost, hasDates, inOrder, matches, mayReviewType } from '#server/modules/review/queue/held.ts'
import type { ReviewQueueAnswer, ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

/** Above this many skipped rows, those of a range of dates are found by another plan. */
const DEEP_SKIP = 1_000

/**
 * docs/interface/review-queue.md: the held comments of one community, newest request first, by skip and limit.
 * Fails with NOT_FOUND for a community the caller may not know of and FORBIDDEN for one they do not review.
 */
export async function listReviewQueue(
  ctx: Ctx,
  input: ReviewQueueQuery & { communityId: string },
): Promise<ReviewQueueAnswer> {
  const found = await readPage(ctx, input)
  if (found.rows.length === 0) await authorizeReview(ctx, input.communityId)
  return toEnvelope(ctx, found)
}

/**
 * Community reviewers and network moderators only. A known community without the permission is 403; an unknown one is 404, and
 * so is a private one that the caller may not see.
 */
async function authorizeReview(ctx: Ctx, communityId: string): Promise<void> {
  const community = await queryOne<{ mayReview: boolean }>(
    ctx,
    sql`
    select ${mayInCommunity(ctx, 'reviewComments', sql`k.community_id`)} as may_review
    from community k where k.community_id = ${communityId} and not k.is_deleted and ${isVisible(ctx)}`,
  )
  if (community === undefined) throw new DomainError('NOT_FOUND')
  if (!community.mayReview) throw new DomainError('FORBIDDEN')
}

/**
 * Reads the page in order, then the replies to its comments; uses review_item_in_community or review_item_by_written, then
 * comment_replies. Nothing is read where the caller does not review the community. Skipped rows are counted in the index alone.
 */
async function readPage(
  ctx: Ctx,
  { communityId, options, ...filter }: ReviewQueueQuery & { communityId: string },
): Promise<FoundComments> {
  const { skip } = options
  const order = inOrder('newest', { hasDates: hasDates(filter), deep: skip > DEEP_SKIP })
  const mayReview = sql`
    exists (select from community k where k.community_id = ${communityId} and not k.is_deleted
      and ${mayReviewType(ctx, 'comment', sql`k.community_id`)})`
  const held = sql`
    select i.subject_id, i.placed_at from review_item i
    where (select ${mayReview}) and i.community_id = ${communityId} and ${isOfType('comment')} and ${matches(filter)}
    order by ${order} ${atMost(options.limit)}`
  if (skip === 0 && !hasDates(filter) && filter.postId === undefined) {
    const placed = sql`select subject_id, row_number() over (order by placed_at desc, subject_id) as place from (${held}) held`
    return findComments(ctx, { tables: pageOf(placed), replies: REPLIES_TO_PAGE })
  }

  // Which comments they are depends on values that the plan should depend on too; the rest is planned once.
  const shown = await query<{ subjectId: string }>(
    ctx,
    sql`${held} ${skip === 0 ? sql.empty : sql`offset ${skip} ${NO_PREPARE}`}`,
  )
  if (shown.length === 0) return NO_COMMENTS
  const ids = listOf(shown.map(({ subjectId }) => subjectId))
  const placed = sql`select * from unnest(${ids}) with ordinality as shown(subject_id, place)`
  return findComments(ctx, { tables: pageOf(placed), replies: REPLIES_TO_PAGE })
}

/** The comments of these items, at their places. */
function pageOf(placed: Sql): Sql {
  return sql`
    page as materialized (
      select i.place as position, true as is_reviewed, c.* from (${placed}) i join comment c on c.comment_id = i.subject_id)`
}

const REPLIES_TO_PAGE = sql`
  select * from comment child where child.parent_id = page.comment_id and not child.is_deleted
  order by child.created_at, child.comment_id ${atMost(CHILDREN_SHOWN)}`
