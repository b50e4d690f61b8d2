import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { listOf, query, queryOne, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { type FeedTarget, feedIdOf } from '#server/modules/content/posts/feed-id-of.ts'
import type { Feed } from '#server/modules/spaces/communities/schema.ts'
import { FEED_COLUMNS, type FeedRow, toFeedView } from '#server/modules/spaces/communities/view.ts'

/** Feeds by their ids. The counts of pending and declined posts are for reviewers: anyone else gets the number of their own. */
export async function readFeeds(ctx: Ctx, feedIds: string[]): Promise<Feed[]> {
  if (feedIds.length === 0) return []
  const rows = await query<FeedRow & { isCounted: boolean; ownPosts: number }>(
    ctx,
    sql`
    select ${FEED_COLUMNS}, f.feed_type = 'published' or ${mayInCommunity(ctx, 'reviewPosts', sql`f.target_id`)} as is_counted,
      (select count(*)::int from post own
        where own.posted_user_id = ${actingUserId(ctx) ?? null} and own.feed_id = f.feed_id and f.feed_type <> 'published'
          and own.parent_post_id is null and not own.is_deleted) as own_posts
    from feed f where f.feed_id = any(${listOf(feedIds)}) order by f.feed_id`,
  )
  return rows.map(({ isCounted, ownPosts, ...row }) => toFeedView(isCounted ? row : { ...row, postCount: ownPosts }))
}

/** The feed of this type of its target, created if missing. */
export async function findFeed(
  ctx: Ctx,
  { targetType, targetId }: FeedTarget,
  feedType: Feed['feedType'],
): Promise<string> {
  const known = await queryOne<{ feedId: string }>(
    ctx,
    sql`
    select feed_id from feed
    where target_id = ${targetId} and target_type = ${targetType} and feed_type = ${feedType}::feed_type
    order by created_at, feed_id limit 1`,
  )
  if (known !== undefined) return known.feedId

  const made = await queryOne<{ feedId: string }>(
    ctx,
    sql`
    insert into feed (feed_id, target_id, target_type, feed_type, created_at, updated_at)
    values (${feedIdOf({ targetType, targetId }, feedType)}, ${targetId}, ${targetType}, ${feedType}::feed_type,
      ${ctx.now()}, ${ctx.now()})
    on conflict (feed_id) do update set updated_at = feed.updated_at
    returning feed_id`,
  )
  if (made === undefined) throw new Error('an insert returned no row')
  return made.feedId
}
