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
