import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import type { Signal } from '#server/modules/content/signals/schema.ts'
import type { SubjectType } from '#server/modules/ledger/reports/subjects.ts'

const SHOWN = 20

/** What classifiers say of an item, the highest score first; uses signal_pkey. The caller may see the item. */
export async function readSignals(
  ctx: Ctx,
  { subjectType, subjectId }: { subjectType: SubjectType; subjectId: string },
): Promise<Signal[]> {
  const rows = await query<{ name: string; score: number; modelVersion: string | null; measuredAt: Date }>(
    ctx,
    sql`
    select name, score, model_version, measured_at from signal
    where subject_type = ${subjectType}::subject_type and subject_id = ${subjectId}
    order by score desc, name ${sql.raw(`limit ${SHOWN}`)}`,
  )
  return rows.map(({ name, score, modelVersion, measuredAt }) => ({
    name,
    score,
    measuredAt: measuredAt.toISOString(),
    ...present({ modelVersion: modelVersion ?? undefined }),
  }))
}
