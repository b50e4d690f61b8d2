import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'

interface Placed {
  communityId: string | null
  parentPostId: string | null
}

/**
 * Updates whether a community and a parent contain a flagged post: call it where a flagged post was added, removed or changed. Writes only
 * where the value changes. Uses post_flagged and post_parent_post_id_idx.
 */
export async function markFlagged(ctx: Ctx, { communityId, parentPostId }: Placed): Promise<void> {
  const isFlagged = Prisma.sql`flagged.flag_count > 0 and not flagged.is_deleted`
  const inCommunity = Prisma.sql`exists (select from post flagged where flagged.community_id = ${communityId} and ${isFlagged})`
  const amongChildren = Prisma.sql`exists (select from post flagged where flagged.parent_post_id = ${parentPostId} and ${isFlagged})`
  await query(
    ctx,
    Prisma.sql`
    with community_marked as (
      update community set has_flagged_post = not has_flagged_post
      where community_id = ${communityId} and has_flagged_post <> ${inCommunity})
    update post set has_flagged_children = not has_flagged_children
    where post_id = ${parentPostId} and has_flagged_children <> ${amongChildren}
    returning 1`,
  )
}
