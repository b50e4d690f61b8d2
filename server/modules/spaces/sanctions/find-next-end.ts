import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'

/** When the next ban, mute or author treatment ends, or has ended. Uses ban_ends, channel_user_mute_ends, community_user_mute_ends and author_treatment_ends. */
export async function findNextEnd(ctx: Ctx): Promise<Date | null> {
  const next = await queryOne<{ endsAt: Date | null }>(
    ctx,
    sql`
    select least(
      (select min(ends_at) from ban where lifted_at is null),
      (select min(ends_at) from author_treatment where ended_at is null),
      (select min(mute_timeout) from channel_user),
      (select min(mute_timeout) from community_user)) as ends_at`,
  )
  return next?.endsAt ?? null
}
