import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'

interface Placed {
  communityId: string | null
  referenceType: string | null
  referenceId: string | null
}

/**
 * Updates whether a community and a post contain a flagged comment: call it where a flagged comment was added, removed or changed. Writes
 * only where the value changes. Uses comment_flagged_in_community and comment_flagged.
 */
export async function markFlagged(ctx: Ctx, { communityId, referenceType, referenceId }: Placed): Promise<void> {
  const isFlagged = Prisma.sql`c.flag_count > 0 and not c.is_deleted`
  const inCommunity = Prisma.sql`exists (select from comment c where c.community_id = ${communityId} and ${isFlagged})`
  const onPost = Prisma.sql`exists (
    select from comment c where c.reference_id = ${referenceId} and c.reference_type = 'post' and ${isFlagged})`
  await query(
    ctx,
    Prisma.sql`
    with community_marked as (
      update community set has_flagged_comment = not has_flagged_comment
      where community_id = ${communityId} and has_flagged_comment <> ${inCommunity})
    update post set has_flagged_comment = not has_flagged_comment
    where post_id = ${referenceId} and ${referenceType === 'post'} and has_flagged_comment <> ${onPost}
    returning 1`,
  )
}
