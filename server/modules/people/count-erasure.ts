import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import type { ErasureCounts } from '#server/modules/people/schema.ts'
import { mayErase } from '#server/modules/people/scope.ts'

const EXACT_UP_TO = 1_000

/**
 * What an erasure of the person, by their public id, would take with it. Fails as `erasePerson` does. Uses comment_of_author, post_of_author
 * and message_of_author; of reports, comment_flagged_of_author, post_flagged_of_author, message_flagged_of_author and review_item_pkey.
 */
export async function countErasure(ctx: Ctx, { userId }: { userId: string }): Promise<ErasureCounts> {
  const person = await queryOne<{ isOutranked: boolean; isStaff: boolean }>(
    ctx,
    sql`
    select ${outranks(ctx, sql`u.user_id`, 'network')} as is_outranked,
      exists (select from staff_account a where a.network_user_id = u.user_id) as is_staff
    from network_user u where u.user_id = ${userId}`,
  )
  if (person === undefined) throw new DomainError('NOT_FOUND')
  if (!mayErase(ctx, { userId, ...person })) throw new DomainError('FORBIDDEN')
  const counted = await queryOne<ErasureCounts>(
    ctx,
    sql`
    select ${countOf(sql`select from comment c where c.user_id = ${userId}`)} as comments,
      ${countOf(sql`select from post p where p.posted_user_id = ${userId} and p.parent_post_id is null`)} as posts,
      ${countOf(sql`select from message m where m.user_id = ${userId}`)} as messages,
      ${countOf(openReports(userId))} as open_reports`,
  )
  return counted ?? { comments: 0, posts: 0, messages: 0, openReports: 0 }
}

/** Up to one more than are counted exactly. */
function countOf(rows: Sql): Sql {
  return sql`(select count(*)::int from (${rows} ${sql.raw(`limit ${EXACT_UP_TO + 1}`)}) counted)`
}

function openReports(userId: string): Sql {
  const report = (type: string, id: Sql) => sql`review_item r
    on r.subject_type = ${type} and r.subject_id = ${id} and r.kind = 'reported' and r.state = 'waiting'`
  return sql`
    select 1 from network_user u join ${report('user', sql`u.user_id`)} where u.user_id = ${userId}
    union all
    select 1 from comment c join ${report('comment', sql`c.comment_id`)} where c.user_id = ${userId} and c.flag_count > 0
    union all
    select 1 from post p join ${report('post', sql`p.post_id`)} where p.posted_user_id = ${userId} and p.flag_count > 0
    union all
    select 1 from message m join ${report('message', sql`m.message_id`)} where m.user_id = ${userId} and m.flag_count > 0`
}
