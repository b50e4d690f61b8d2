import { type Flaggable, flaggedBy } from '#server/modules/content/flags/flag.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { type LockedPost, lockPost } from '#server/modules/content/posts/lock-post.ts'
import { markFlagged } from '#server/modules/content/posts/mark-flagged.ts'
import { postEvent } from '#server/modules/content/posts/publish-post.ts'
import { findPost } from '#server/modules/content/posts/read-post.ts'
import type { PostsEnvelope } from '#server/modules/content/posts/schema.ts'

/** Anyone who may delete it may clear its flags. */
export const flaggablePost: Flaggable<LockedPost, PostsEnvelope> = {
  type: 'post',
  find: findPost,
  lock: lockPost,
  mayClear: ({ mayDelete }) => mayDelete,
  afterFlag: markFlagged,
  eventOf: (ctx, post, verb) =>
    postEvent(ctx, { post, also: flaggedBy(ctx, verb), name: `v3.post.${verb}`, deskName: `desk.post.${verb}` }),
  answer: buildPostsEnvelope,
}
