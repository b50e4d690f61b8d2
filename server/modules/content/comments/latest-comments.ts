import type { Ctx } from '#server/core/ctx.ts'
import { listOf, query, sql } from '#server/core/db.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'

/** Comments included with a post. */
const LATEST_SHOWN = 3

export interface LatestComment {
  postId: string
  commentId: string
}

/** The latest top-level comments on each of these posts that everyone sees, newest first. Uses comment_on_reference. */
export function findLatestComments(ctx: Ctx, postIds: string[]): Promise<LatestComment[]> {
  return query<LatestComment>(
    ctx,
    sql`
    select asked.post_id, latest.comment_id
    from unnest(${listOf(postIds)}) as asked(post_id)
    cross join lateral (
      select c.comment_id, c.created_at from comment c
      where c.reference_id = asked.post_id and c.reference_type = 'post' and c.parent_id is null and not c.is_deleted and ${reviewableComment.isPublic}
      order by c.created_at desc, c.comment_id ${sql.raw(`limit ${LATEST_SHOWN}`)}) latest
    order by latest.created_at desc, latest.comment_id`,
  )
}
