import { type Flaggable, flaggedBy } from '#server/modules/content/flags/flag.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { type LockedPost, lockPost } from '#server/modules/content/posts/lock-post.ts'
import { postEvent } from '#server/modules/content/posts/post-event.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import type { PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { assertContentVisible } from '#server/modules/content/reviewable/reviewable.ts'

/** Anyone who may delete it may clear its flags. */
export const flaggablePost: Flaggable<LockedPost, PostsEnvelope> = {
  type: 'post',
  find: (ctx, postId) => assertContentVisible(ctx, reviewablePost, postId),
  lock: lockPost,
  mayClear: ({ mayDelete }) => mayDelete,
  afterFlag: (ctx, { communityId, parentPostId }) => markFlagged(ctx, 'post', { communityId, postId: parentPostId }),
  eventOf: (ctx, post, verb) =>
    postEvent(ctx, post, {
      also: flaggedBy(ctx, verb),
      name: `v3.post.${verb}`,
      deskName: `desk.post.${verb}`,
    }),
  answer: buildPostsEnvelope,
}
