import { query, sql } from '#server/core/db.ts'
import { countPost } from '#server/modules/content/posts/count-post.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import type { LockedPost } from '#server/modules/content/posts/lock-post.ts'
import { postEvent } from '#server/modules/content/posts/post-event.ts'
import { findFeed } from '#server/modules/content/posts/read-feeds.ts'
import type { PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import type { ContentKind } from '#server/modules/content/reviewable/content-kind.ts'

const FEED = { held: 'reviewing', rejected: 'declined' } as const

/** A post moves to another feed of its community with its attachments. */
export const postKind: ContentKind<LockedPost, PostsEnvelope> = {
  type: 'post',
  flaggable: flaggablePost,
  eventOf: postEvent,
  stateOf: ({ feedType }) => ({ feedType }),
  states: { held: { feedType: 'reviewing' }, rejected: { feedType: 'declined' } },
  rejectedEvent: 'v3.post.didDecline',
  move: async (ctx, post, to) => {
    const { subjectId, targetType, communityId, targetId } = post
    const feedType = FEED[to]
    const feedId = await findFeed(ctx, { targetType, targetId: communityId ?? targetId ?? '' }, feedType)
    const moved = await query<{ postId: string; flagCount: number }>(
      ctx,
      sql`
      update post set feed_type = ${feedType}::feed_type, feed_id = ${feedId}, updated_at = ${ctx.now()},
        queued_at = case when ${to === 'held'} then ${ctx.now()} else queued_at end
      where (post_id = ${subjectId} or parent_post_id = ${subjectId}) and feed_type = ${post.feedType}::feed_type
      returning post_id, flag_count`,
    )
    await countPost(ctx, post, -1)
    await countPost(ctx, { communityId, feedId, feedType }, 1)
    return moved.filter(({ flagCount }) => flagCount > 0).map(({ postId }) => postId)
  },
}
