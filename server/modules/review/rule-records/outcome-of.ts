import { type Sql, sql } from '#server/core/db.ts'

/**
 * The latest decision on the content since it matched that isn't undone: whether people kept it, as an SQL expression. If nobody has decided,
 * it is kept where somebody ended the mute that the rule made for it, else null. Uses decision_subject_type_subject_id_decided_at_idx and
 * mute_on_content.
 */
export const outcomeOf = (match: Sql): Sql => sql`coalesce((
  select case when d.outcome in ('approved', 'dismissed') then 'approved' else 'rejected' end from decision d
  where d.subject_type = ${match}.subject_type and d.subject_id = ${match}.subject_id and d.undone_at is null
    and d.decided_at >= ${match}.created_at
  order by d.decided_at desc, d.decision_id desc limit 1), case when ${isUnmuted(match)} then 'approved' end)`

/**
 * Whether somebody ended its mute early. Not if they replaced it by another, nor if they undid that, which the desk offers for ten seconds and
 * which mutes again. Uses mute_on_content and mute_user_id_created_at_idx.
 */
function isUnmuted(match: Sql): Sql {
  return sql`exists (
    select from mute made
    where made.subject_type = ${match}.subject_type and made.subject_id = ${match}.subject_id and made.muted_by = ${match}.rule_id
      and made.created_at >= ${match}.created_at and made.lifted_by is not null
      and not exists (
        select from mute later
        where later.user_id = made.user_id and later.community_id = made.community_id and later.muted_by = made.lifted_by
          and later.created_at between made.lifted_at and made.lifted_at + interval '20 seconds'))`
}
