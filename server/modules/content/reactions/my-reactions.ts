import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'

/** The caller's own reactions as one JSON object, by the id of what they reacted to, among this array of ids. Uses reaction_pkey. */
export function myReactions(ctx: Ctx, subjectType: 'comment' | 'message', ids: Sql): Sql {
  const userId = actingUserId(ctx)
  if (userId === undefined) return sql`null::json`
  return sql`(
    select json_object_agg(mine.subject_id, mine.names) from (
      select subject_id, array_agg(reaction_name order by reaction_name) as names from reaction
      where subject_type = ${subjectType}::subject_type and user_id = ${userId} and subject_id = any(${ids})
      group by subject_id) mine)`
}
