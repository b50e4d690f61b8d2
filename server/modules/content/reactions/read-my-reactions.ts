import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'

/** The caller's own reactions, by the id of what they reacted to; runs no query without a caller or ids. */
export async function readMyReactions(
  ctx: Ctx,
  subjectType: 'comment' | 'post' | 'message',
  subjectIds: string[],
): Promise<Map<string, string[]>> {
  const userId = actingUserId(ctx)
  if (userId === undefined || subjectIds.length === 0) return new Map()

  const mine = await query<{ subjectId: string; names: string[] }>(
    ctx,
    sql`
    select subject_id, array_agg(reaction_name order by reaction_name) as names
    from reaction
    where subject_type = ${subjectType}::subject_type and subject_id = any(${subjectIds}) and user_id = ${userId}
    group by subject_id`,
  )
  return new Map(mine.map((row) => [row.subjectId, row.names]))
}
