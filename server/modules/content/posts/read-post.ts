import type { Ctx } from '#server/core/ctx.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import type { PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { assertContentVisible } from '#server/modules/content/reviewable/reviewable.ts'

/** One post, deleted or not. NOT_FOUND for one the caller may not see. */
export async function readPost(ctx: Ctx, { postId }: { postId: string }): Promise<PostsEnvelope> {
  await assertContentVisible(ctx, reviewablePost, postId)
  return buildPostsEnvelope(ctx, [postId])
}
