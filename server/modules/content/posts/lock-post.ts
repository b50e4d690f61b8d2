import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds, mayInCommunity } from '#server/core/permissions.ts'
import { isOwnPost, isPostVisible, mayReviewPosts } from '#server/modules/content/posts/visible.ts'

/** A locked post, and what the caller may do with it. */
export interface LockedPost {
  postId: string
  parentPostId: string | null
  targetType: 'community' | 'user' | 'content'
  communityId: string | null
  targetId: string | null
  postedUserId: string
  feedId: string | null
  feedType: 'reviewing' | 'published' | 'declined'
  version: number
  isDeleted: boolean
  isOwn: boolean
  mayReview: boolean
  mayEdit: boolean
  mayDelete: boolean
  /** Whether the caller wrote it and has since been banned from its community. */
  isBanned: boolean
}

/** Reads and locks inside the caller's scope: NOT_FOUND for a post the caller may not see. */
export async function lockPost(ctx: Ctx, postId: string): Promise<LockedPost> {
  const inCommunity = Prisma.sql`p.community_id`
  const mayEdit = Prisma.sql`(${mayInCommunity(ctx, 'editPosts', inCommunity)}
    or p.community_id is null and ${holds(ctx, 'EDIT_USER_FEED_POST')})`
  const mayDelete = Prisma.sql`(${mayInCommunity(ctx, 'deletePosts', inCommunity)}
    or p.community_id is null and ${holds(ctx, 'DELETE_USER_FEED_POST')})`
  const post = await queryOne<LockedPost>(
    ctx,
    Prisma.sql`
    select p.post_id as "postId", p.parent_post_id as "parentPostId", p.target_type as "targetType", p.community_id as "communityId",
      p.target_id as "targetId", p.posted_user_id as "postedUserId", p.feed_id as "feedId", p.feed_type as "feedType", p.version,
      p.is_deleted as "isDeleted", ${isOwnPost(ctx)} as "isOwn", ${mayReviewPosts(ctx)} as "mayReview",
      ${mayEdit} as "mayEdit", ${mayDelete} as "mayDelete",
      exists (
        select from community_user mine
        where mine.community_id = p.community_id and ${isOwnPost(ctx)} and mine.user_id = p.posted_user_id and mine.membership = 'banned'
      ) as "isBanned"
    from post p left join community k on k.community_id = p.community_id
    where p.post_id = ${postId} and ${isPostVisible(ctx)}
    for update of p`,
  )
  if (post === undefined) throw new DomainError('NOT_FOUND')
  return post
}
