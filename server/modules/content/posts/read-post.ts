import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import type { PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { isPostVisible } from '#server/modules/content/posts/visible.ts'

/** One post, deleted or not. NOT_FOUND for one the caller may not see. */
export async function readPost(ctx: Ctx, { postId }: { postId: string }): Promise<PostsEnvelope> {
  await findPost(ctx, postId)
  return buildPostsEnvelope(ctx, [postId])
}

export async function findPost(ctx: Ctx, postId: string): Promise<void> {
  const post = await queryOne(
    ctx,
    Prisma.sql`
    select true as found from post p left join community k on k.community_id = p.community_id
    where p.post_id = ${postId} and ${isPostVisible(ctx)}`,
  )
  if (post === undefined) throw new DomainError('NOT_FOUND')
}
