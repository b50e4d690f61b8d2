import { type Sql, sql } from '#server/core/db.ts'
import type { TallyKind } from '#server/modules/ledger/counts/record-delta.ts'

/**
 * A count of the subject in the given column, as an SQL expression beside the subject's other columns: folded total and open
 * deltas in the statement's snapshot. Uses tally_pkey and tally_delta_of_subject.
 */
export function counted(kind: TallyKind, subjectColumn: Sql): Sql {
  // A literal in the SQL: as a parameter it would make the planner choose a generic, slower plan.
  const ofSubject = sql`kind = ${sql.raw(`'${kind}'::tally_kind`)} and subject_id = ${subjectColumn}`
  return sql`(
    coalesce((select total from tally where ${ofSubject}), 0)
    + coalesce((select sum(delta) from tally_delta where ${ofSubject}), 0))::int`
}

/** The same for several subjects as one JSON object, by the subject; those that are 0 may be missing. */
export function countedOfAll(kind: TallyKind, subjectIds: Sql): Sql {
  const ofSubjects = sql`kind = ${sql.raw(`'${kind}'::tally_kind`)} and subject_id = any(array(${subjectIds}))`
  return sql`(
    select json_object_agg(subject_id, total) from (
      select subject_id, sum(count)::int as total
      from (
        select subject_id, total as count from tally where ${ofSubjects}
        union all select subject_id, delta from tally_delta where ${ofSubjects}) part
      group by subject_id) of_subject)`
}
