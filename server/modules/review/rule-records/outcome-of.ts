import { type Sql, sql } from '#server/core/db.ts'

/**
 * The latest decision on the content since it matched that isn't undone: whether people kept it, as an SQL expression, null while nobody
 * has decided. Uses decision_subject_type_subject_id_decided_at_idx.
 */
export const outcomeOf = (match: Sql): Sql => sql`(
  select case when d.outcome in ('approved', 'dismissed') then 'approved' else 'rejected' end from decision d
  where d.subject_type = ${match}.subject_type and d.subject_id = ${match}.subject_id and d.undone_at is null
    and d.decided_at >= ${match}.created_at
  order by d.decided_at desc, d.decision_id desc limit 1)`
