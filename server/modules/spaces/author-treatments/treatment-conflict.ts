import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

/** Fails with CHANGED: who set or ended the latest treatment for a person in one place, and when. Nobody did where its time was over. */
export async function assertUnchanged(
  ctx: Ctx,
  { userId, communityId }: { userId: string; communityId: string | null },
): Promise<never> {
  const latest = await queryOne<{ by: string | null; at: Date }>(
    ctx,
    sql`
    select coalesce(maker.display_name, latest.by) as by, latest.at
    from (
      select case when a.ended_at is null then a.set_by else a.ended_by end as by, coalesce(a.ended_at, a.created_at) as at
      from author_treatment a where a.user_id = ${userId} and a.community_id is not distinct from ${communityId}
      order by a.ended_at is null desc, a.treatment_id desc limit 1) latest
    left join network_user maker on maker.user_id = latest.by`,
  )
  throw new DomainError(
    'CHANGED',
    latest && { decidedAt: latest.at.toISOString(), ...(latest.by !== null && { decidedBy: latest.by }) },
  )
}
