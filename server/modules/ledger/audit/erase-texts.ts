import { randomUUID } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audit.ts'

/** The acts that record an erasure: it is their subject, and `after.auditIds` lists the rows whose text was erased. */
export const WORDS_ERASED = { action: 'words.erased', subjectType: 'words' } as const
const ROWS_AN_ACT = 1_000

/** Erases the text beside the log about these subjects; the log itself stays. Uses audit_subject_type_subject_id_audit_id_idx. */
export async function eraseTextsOn(ctx: Ctx, subjectType: string, subjectIds: string[]): Promise<void> {
  await eraseTexts(
    ctx,
    sql`t.audit_id in (
      select a.audit_id from audit a where a.subject_type = ${subjectType} and a.subject_id = any(${subjectIds}))`,
  )
}

/**
 * Erases the texts that `which` selects from `audit_text t`, and logs the row ids, because a text that is gone without such a
 * record counts as missing. Returns how many.
 */
export async function eraseTexts(ctx: Ctx, which: Sql): Promise<number> {
  const erasureId = randomUUID()
  const erased = await query<{ auditId: string }>(
    ctx,
    sql`
    update audit_text t set salt = null, text = null, erased_by = ${erasureId}
    where (${which}) and t.text is not null returning t.audit_id::text as audit_id`,
  )
  const auditIds = erased.map(({ auditId }) => auditId)
  const acts = Array.from({ length: Math.ceil(auditIds.length / ROWS_AN_ACT) }, (_, index) => ({
    ...WORDS_ERASED,
    subjectId: erasureId,
    after: { auditIds: auditIds.slice(index * ROWS_AN_ACT, (index + 1) * ROWS_AN_ACT) },
  }))
  if (acts.length > 0) await recordAudits(ctx, acts)
  return auditIds.length
}
