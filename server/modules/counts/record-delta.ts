import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'

export type TallyKind =
  | 'held_comments'
  | 'community_members'
  | 'community_moderators'
  | 'community_posts'
  | 'channel_members'
  | 'channel_messages'
  | 'feed_posts'

/** Counts one change, in its transaction. A row of its own each time: two changes never wait for each other on a counter. */
export async function recordDelta(ctx: Ctx, kind: TallyKind, subjectId: string, delta: number): Promise<void> {
  await query(
    ctx,
    Prisma.sql`
    insert into tally_delta (kind, subject_id, delta) values (${kind}::tally_kind, ${subjectId}, ${delta}) returning 1`,
  )
}
