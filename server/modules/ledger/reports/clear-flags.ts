import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'

/**
 * Clears the flags on these people up to a time, as they were acted on then; later ones count. With the people locked, and followed by
 * `keepReports`.
 */
export async function clearFlagsOnPeople(ctx: Ctx, people: { userId: string; until: Date }[]): Promise<void> {
  const ids = people.map(({ userId }) => userId)
  const untils = people.map(({ until }) => until)
  await execute(
    ctx,
    sql`
    with person as (select * from unnest(${ids}::text[], ${untils}::timestamptz[]) as person(user_id, until)),
    flag_left as (
      select person.user_id, count(flag.user_id)::int as flags
      from person left join flag on subject_type = 'user' and subject_id = person.user_id and cleared_at is null and created_at > until
      group by person.user_id),
    cleared as (
      update flag set cleared_at = ${ctx.now()} from person
      where subject_type = 'user' and subject_id = person.user_id and cleared_at is null and created_at <= until)
    update network_user person set flag_count = flags, hash_flag = case when flags > 0 then hash_flag end
    from flag_left where person.user_id = flag_left.user_id and flag_count > 0`,
  )
}
