import type { Ctx } from '#server/core/ctx.ts'
import { type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayEverywhere } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import type { PostsPage, PostsQuery } from '#server/modules/content/posts/schema.ts'
import { isContentVisible } from '#server/modules/content/reviewable/reviewable.ts'
import { isOpen, isVisible } from '#server/modules/spaces/communities/visible.ts'

const USUAL_LIMIT = 10

/**
 * One feed of a community, user or content, newest first by default; pending posts by when they were held. Pending and declined posts are
 * visible to reviewers and, their own, to authors. Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN for one they may
 * not look into, and for all communities at once without admin ManagePostAndComment.
 */
export async function listPosts(ctx: Ctx, input: PostsQuery): Promise<PostsPage> {
  await authorize(ctx, input.target)

  const page = readPageRequest(input.options, USUAL_LIMIT)
  const { time, order } = orderOf(input)
  const { where, orderBy, limit } = pageClauses(order, page)
  const found = await query<{ postId: string; time: Date }>(
    ctx,
    sql`
    select p.post_id, ${time} as time
    from post p left join community k on k.community_id = p.community_id
    where ${onTarget(input)} and p.feed_type = ${sql.raw(`'${input.feedType}'`)} and ${isContentVisible(ctx, reviewablePost)} ${narrowed(input)} and ${where}
    order by ${orderBy} ${limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [timestampOf(row.time), row.postId])
  const envelope = await buildPostsEnvelope(
    ctx,
    rows.map((row) => row.postId),
  )
  return { ...envelope, paging }
}

async function authorize(ctx: Ctx, target: PostsQuery['target']): Promise<void> {
  if (target === 'all') {
    if (!mayEverywhere(ctx, 'reviewPosts')) throw new DomainError('FORBIDDEN')
    return
  }
  if (target.targetType === 'community') await authorizeCommunity(ctx, target.targetId)
}

async function authorizeCommunity(ctx: Ctx, communityId: string): Promise<void> {
  const community = await queryOne<{ isOpen: boolean }>(
    ctx,
    sql`select ${isOpen(ctx)} as is_open from community k where k.community_id = ${communityId} and ${isVisible(ctx)}`,
  )
  if (community === undefined) throw new DomainError('NOT_FOUND')
  if (!community.isOpen) throw new DomainError('FORBIDDEN')
}

/** Along post_held_everywhere, post_held, post_declined, post_in_community, post_flagged or post_on_target. */
function orderOf({ target, feedType, sortBy }: PostsQuery): { time: Sql; order: ListOrder } {
  const isDescending = sortBy === 'lastCreated'
  const isReviewed = target === 'all' || target.targetType === 'community'
  const time = isReviewed && feedType === 'reviewing' ? sql`p.queued_at` : sql`p.created_at`
  return {
    time,
    order: {
      first: { column: time, isDescending, type: 'timestamptz' },
      tie: { column: sql`p.post_id`, isDescending: !isDescending },
    },
  }
}

function onTarget({ target }: PostsQuery): Sql {
  if (target === 'all') return sql`p.community_id is not null`
  const { targetType, targetId } = target
  return targetType === 'community'
    ? sql`p.community_id = ${targetId}`
    : sql`p.target_type = ${targetType}::target_type and p.target_id = ${targetId}`
}

function narrowed({ hasFlag, isDeleted, matchingOnlyParentPost, dataTypes, tags }: PostsQuery): Sql {
  const conditions: Sql[] = []
  if (hasFlag !== undefined) conditions.push(hasFlag ? sql`p.flag_count > 0` : sql`p.flag_count = 0`)
  if (isDeleted !== undefined) conditions.push(isDeleted ? sql`p.is_deleted` : sql`not p.is_deleted`)
  if (matchingOnlyParentPost) conditions.push(sql`p.parent_post_id is null`)
  if (dataTypes !== undefined) conditions.push(sql`p.data_type = any(${dataTypes})`)
  if (tags !== undefined) conditions.push(sql`p.tags && ${tags}`)
  return conditions.length === 0 ? sql.empty : sql`and ${sql.join(conditions, ' and ')}`
}
