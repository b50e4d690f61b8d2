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

/** Folded totals and open deltas by their subject: its count is their sum. */
export type PartsOfCounts = [subjectId: string, part: number][]

/** The counts of an array of subjects, as one JSON value of type `PartsOfCounts`: null without any part. */
export function partsOfCounts(kind: TallyKind, subjectIds: Sql): Sql {
  const ofSubjects = sql`kind = ${sql.raw(`'${kind}'::tally_kind`)} and subject_id = any(${subjectIds})`
  return sql`(
    select json_agg(json_build_array(subject_id, part))
    from (
      select subject_id, total as part from tally where ${ofSubjects}
      union all select subject_id, delta from tally_delta where ${ofSubjects}) counted)`
}

/** The counts of which these are the parts, by their subject. */
export function sumOfParts(parts: PartsOfCounts | null): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [subjectId, part] of parts ?? []) counts.set(subjectId, (counts.get(subjectId) ?? 0) + part)
  return counts
}
