import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { countPost } from '#server/modules/content/posts/count-post.ts'
import type { LockedPost } from '#server/modules/content/posts/lock-post.ts'
import { findFeed } from '#server/modules/content/posts/read-feeds.ts'

/**
 * Moves a post with its attachments to another feed of its community, and counts it there; `set` changes more columns of all of them. Returns
 * those that are flagged.
 */
export async function movePost(
  ctx: Ctx,
  post: LockedPost,
  feedType: LockedPost['feedType'],
  set: Sql = sql.empty,
): Promise<string[]> {
  const { targetType, communityId, targetId } = post
  const feedId = await findFeed(ctx, { targetType, targetId: communityId ?? targetId ?? '' }, feedType)
  const moved = await query<{ postId: string; flagCount: number }>(
    ctx,
    sql`
    update post set feed_type = ${feedType}::feed_type, feed_id = ${feedId}, updated_at = ${ctx.now()} ${set}
    where (post_id = ${post.subjectId} or parent_post_id = ${post.subjectId}) and feed_type = ${post.feedType}::feed_type
    returning post_id, flag_count`,
  )
  await countPost(ctx, post, -1)
  await countPost(ctx, { communityId, feedId, feedType }, 1)
  return moved.filter(({ flagCount }) => flagCount > 0).map(({ postId }) => postId)
}
