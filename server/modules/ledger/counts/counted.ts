import { Prisma, type Sql } from '#server/core/db.ts'
import type { TallyKind } from '#server/modules/ledger/counts/record-delta.ts'

/**
 * How many of a kind the subject that the column names has, as an SQL expression beside the subject's other columns: folded
 * total and open deltas in the snapshot of the statement. Uses tally_pkey and tally_delta_of_subject.
 */
export function counted(kind: TallyKind, subjectColumn: Sql): Sql {
  // Part of the text: as a value it would make the planner take the plan that is kept for a bad one.
  const ofSubject = Prisma.sql`kind = ${Prisma.raw(`'${kind}'::tally_kind`)} and subject_id = ${subjectColumn}`
  return Prisma.sql`(
    coalesce((select total from tally where ${ofSubject}), 0)
    + coalesce((select sum(delta) from tally_delta where ${ofSubject}), 0))::int`
}
