import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { WORDS_ERASED } from '#server/modules/ledger/audit/erase-texts.ts'
import { digestOfText } from '#server/modules/ledger/audit/record-audit.ts'
import { isSame, isSigned, STORED_COLUMNS, type StoredRow } from '#server/modules/ledger/audit/sign-row.ts'

/** The text beside a row, from `audit_text t`. */
export interface StoredText {
  hasText: boolean
  salt: Uint8Array | null
  text: string | null
  erasedBy: string | null
}

export const TEXT_COLUMNS = sql`
  t.audit_id is not null as has_text, t.salt, t.text, t.erased_by`

export type RowWithText = StoredRow & StoredText

/** Problems with the texts of these rows, by row id: a text must match the row's digest, or an act must record its erasure. */
export async function findTextProblems(ctx: Ctx, key: Buffer, rows: RowWithText[]): Promise<Map<string, string>> {
  const erasures = rows.flatMap(({ text, erasedBy }) => (text === null && erasedBy !== null ? [erasedBy] : []))
  const erased = erasures.length === 0 ? new Set<string>() : await readErased(ctx, key, [...new Set(erasures)])
  const faults = new Map<string, string>()
  for (const row of rows) {
    const fault = problemOf(row, erased)
    if (fault !== undefined) faults.set(row.auditId, fault)
  }
  return faults
}

function problemOf(row: RowWithText, erased: ReadonlySet<string>): string | undefined {
  const { auditId, textDigest, hasText, salt, text, erasedBy } = row
  if (textDigest === null) return hasText ? `audit row ${auditId} has words that were not written with it` : undefined
  if (text === null || salt === null) {
    return erased.has(`${erasedBy} ${auditId}`) ? undefined : `the words of audit row ${auditId} are missing`
  }
  const isWhole = salt.length === 16 && isSame(digestOfText(salt, text), textDigest)
  return isWhole ? undefined : `the words of audit row ${auditId} were changed`
}

/** The rows that signed acts name as erased. Uses audit_subject_type_subject_id_audit_id_idx. */
async function readErased(ctx: Ctx, key: Buffer, erasures: string[]): Promise<Set<string>> {
  const acts = await query<StoredRow>(
    ctx,
    sql`
    select ${STORED_COLUMNS} from audit a
    where a.subject_type = ${WORDS_ERASED.subjectType} and a.subject_id = any(${erasures})`,
  )
  const genuine = acts.filter((act) => act.action === WORDS_ERASED.action && isSigned(key, act))
  return new Set(genuine.flatMap((act) => auditIdsOf(act).map((auditId) => `${act.subjectId} ${auditId}`)))
}

function auditIdsOf({ after }: StoredRow): string[] {
  const { auditIds } = JSON.parse(after ?? '{}')
  return Array.isArray(auditIds) ? auditIds.map(String) : []
}
