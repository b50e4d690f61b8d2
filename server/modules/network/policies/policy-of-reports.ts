import { type Sql, sql } from '#server/core/db.ts'

/** The policy for which the reason of the latest report about content stands, as an SQL expression; null if none does. */
export function policyOfReports({ subjectType, subjectId }: { subjectType: Sql; subjectId: Sql }): Sql {
  return sql`(
    select p.policy_id
    from flag f join policy p on not p.is_archived
    join policy_version v on v.policy_id = p.policy_id and v.version = p.version
      and lower(f.reason) in (select lower(stands) from unnest(v.report_reasons) stands)
    where f.subject_type = ${subjectType} and f.subject_id = ${subjectId}
    order by f.created_at desc limit 1)`
}
