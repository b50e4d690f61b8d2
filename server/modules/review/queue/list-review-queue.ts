import { actorHolds, type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { listOf, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { CHILDREN_SHOWN, toEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { type FoundComments, findComments, NO_COMMENTS } from '#server/modules/content/comments/find-comments.ts'
import { atMost, hasDates, inOrder, matches } from '#server/modules/review/queue/held.ts'
import type { ReviewQueueAnswer, ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { skipDays } from '#server/modules/review/queue/skip-days.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

/** Above this many, skipped rows are not read one by one: days are counted, or, with dates, another query plan is used. */
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
  if (found.rows.length === 0) {
    ensureLookedUp(ctx)
    await authorizeReview(ctx, input.communityId)
  }
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
 * Reads the page in order, then the replies to its comments; uses comment_held or comment_held_by_written, then
 * comment_replies. Nothing is read where the caller does not review the community. Skipped rows are counted in the index alone.
 */
async function readPage(
  ctx: Ctx,
  { communityId, options, ...filter }: ReviewQueueQuery & { communityId: string },
): Promise<FoundComments> {
  const { skip } = options
  const deep = skip > DEEP_SKIP
  const order = inOrder('newest', { hasDates: hasDates(filter), deep })
  const days = deep && !hasDates(filter) && filter.postId === undefined ? skipDays(communityId, skip) : undefined
  const mayReview = sql`
    exists (select from community k where k.community_id = ${communityId} and not k.is_deleted and ${actorHolds(ctx)}
      and ${mayInCommunity(ctx, 'reviewComments', sql`k.community_id`)})`
  const held = (columns: Sql) => sql`
    select ${columns} from comment c
    where (select ${mayReview}) and c.community_id = ${communityId} and ${matches(filter)} ${days ? sql`and ${days.condition}` : sql.empty}
    order by ${order} ${atMost(options.limit)}`
  const isWhole = skip === 0 && !hasDates(filter) && filter.postId === undefined
  if (isWhole) return findComments(ctx, { tables: pageOf(held(sql`c.*`)), replies: REPLIES_TO_PAGE })

  // Which comments they are depends on values that the plan should depend on too; the rest is planned once.
  const shown = await query<{ commentId: string }>(
    ctx,
    sql`
    ${days ? sql`with ${days.table}` : sql.empty}
    ${held(sql`c.comment_id`)} ${skip === 0 ? sql.empty : sql`offset ${days ? days.offset : sql`${skip} ${NO_PREPARE}`}`}`,
  )
  if (shown.length === 0) return NO_COMMENTS
  const ids = listOf(shown.map(({ commentId }) => commentId))
  const rows = sql`select c.* from unnest(${ids}) as shown(comment_id) join comment c using (comment_id)`
  return findComments(ctx, { tables: pageOf(rows), replies: REPLIES_TO_PAGE })
}

function pageOf(rows: Sql): Sql {
  return sql`
    page as materialized (
      select row_number() over (order by c.queued_at desc, c.comment_id) as position, true as is_reviewed, c.* from (${rows}) c)`
}

const REPLIES_TO_PAGE = sql`
  select * from comment child where child.parent_id = page.comment_id and not child.is_deleted
  order by child.created_at, child.comment_id ${atMost(CHILDREN_SHOWN)}`
