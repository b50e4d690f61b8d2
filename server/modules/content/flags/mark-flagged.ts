import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'

/** The columns that mark a community and a post, and how a flagged row belongs to the post. */
const MARKS = {
  comment: {
    table: sql`comment`,
    inCommunity: sql`has_flagged_comment`,
    onPost: sql`has_flagged_comment`,
    post: sql`flagged.reference_type = 'post' and flagged.reference_id`,
  },
  post: {
    table: sql`post`,
    inCommunity: sql`has_flagged_post`,
    onPost: sql`has_flagged_children`,
    post: sql`flagged.parent_post_id`,
  },
} as const

/**
 * Updates whether a community and a post contain a flagged comment, or a flagged attachment: call it where one was added, removed or
 * changed. Writes only where the value changes. Uses comment_flagged_in_community, comment_flagged, post_flagged and
 * post_parent_post_id_idx.
 */
export async function markFlagged(
  ctx: Ctx,
  type: keyof typeof MARKS,
  { communityId, postId }: { communityId: string | null; postId: string | null },
): Promise<void> {
  const { table, inCommunity, onPost, post } = MARKS[type]
  const isAnyFlagged = (column: Sql, id: string | null) => sql`exists (
    select from ${table} flagged where ${column} = ${id} and flagged.flag_count > 0 and not flagged.is_deleted)`
  await execute(
    ctx,
    sql`
    with community_marked as (
      update community set ${inCommunity} = not ${inCommunity}
      where community_id = ${communityId} and ${inCommunity} <> ${isAnyFlagged(sql`flagged.community_id`, communityId)})
    update post set ${onPost} = not ${onPost} where post_id = ${postId} and ${onPost} <> ${isAnyFlagged(post, postId)}`,
  )
}
