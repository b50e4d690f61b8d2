import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { VALID_SESSION } from '#server/modules/accounts/access/find-actor.ts'

/**
 * Of these session ids, those that are still valid, each with a fingerprint: a changed fingerprint means that the person's permissions may
 * have changed, by their own roles or by what a role grants. One statement for all client connections of a process, cheap enough to run
 * often; uses staff_session_pkey, community_user_user_id_idx and channel_user_user_id_idx.
 */
export async function readSessionStates(ctx: Ctx, sessions: string[]): Promise<Map<string, string>> {
  const rows = await query<{ session: string; fingerprint: string }>(
    ctx,
    sql`
    with granted as (
      select md5(string_agg(concat(role_id, permissions, is_deleted), ' ' order by role_id)) as fingerprint from role)
    select s.id as session, md5(concat((select fingerprint from granted), u.roles, (
      select string_agg(concat(mine.community_id, mine.roles), ' ' order by mine.community_id) from community_user mine
      where mine.user_id = u.user_id and mine.membership = 'member' and not mine.is_deleted and mine.roles <> '{}'), (
      select string_agg(concat(mine.channel_id, mine.roles), ' ' order by mine.channel_id) from channel_user mine
      where mine.user_id = u.user_id and mine.membership = 'member' and not mine.is_deleted and mine.roles <> '{}'))) as fingerprint
    from ${VALID_SESSION} and s.id = any(${sessions}::text[])`,
  )
  return new Map(rows.map(({ session, fingerprint }) => [session, fingerprint]))
}
