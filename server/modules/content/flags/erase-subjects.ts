import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { eraseItems } from '#server/modules/content/items/put-items.ts'
import { eraseEvidence } from '#server/modules/ledger/evidence/forget-evidence.ts'
import { eraseReports } from '#server/modules/ledger/reports/keep-reports.ts'
import { SUBJECTS, type SubjectType } from '#server/modules/ledger/reports/subjects.ts'

/** Deletes the rows that meet the condition, with their flags, reactions and signals; closes their reports: nothing of them is left but the log. Returns their ids. */
export async function eraseSubjects(ctx: Ctx, type: SubjectType, where: Sql): Promise<string[]> {
  const { table, id } = SUBJECTS[type]
  const ofThese = sql`subject_type = ${type}::subject_type and subject_id = gone.id`
  const gone = await query<{ id: string }>(
    ctx,
    sql`
    with gone as (delete from ${table} where ${where} returning ${id} as id),
    flags as (delete from flag using gone where ${ofThese}),
    reactions as (delete from reaction using gone where ${ofThese}),
    signals as (delete from signal using gone where ${ofThese})
    select id from gone`,
  )
  const ids = gone.map(({ id }) => id)
  await eraseItems(ctx, type, ids)
  await eraseReports(ctx, type, ids)
  await eraseEvidence(ctx, type, ids)
  return ids
}
