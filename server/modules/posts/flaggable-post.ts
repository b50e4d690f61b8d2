import { type Flaggable, flaggedBy } from '#server/modules/flags/flag.ts'
import { buildPostsEnvelope } from '#server/modules/posts/build-posts-envelope.ts'
import { type LockedPost, lockPost } from '#server/modules/posts/lock-post.ts'
import { markFlagged } from '#server/modules/posts/mark-flagged.ts'
import { findPost } from '#server/modules/posts/read-post.ts'
import type { PostsEnvelope } from '#server/modules/posts/schema.ts'
import { postEvent } from '#server/modules/posts/publish-post.ts'

/** Its flags are cleared by whoever may delete it. */
export const flaggablePost: Flaggable<LockedPost, PostsEnvelope> = {
  type: 'post',
  find: findPost,
  lock: lockPost,
  mayClear: ({ mayDelete }) => mayDelete,
  settle: markFlagged,
  happening: (ctx, post, verb) =>
    postEvent(ctx, { post, also: flaggedBy(ctx, verb), name: `v3.post.${verb}`, deskName: `desk.post.${verb}` }),
  answer: buildPostsEnvelope,
}
