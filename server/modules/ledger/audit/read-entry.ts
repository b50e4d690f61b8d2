import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { present } from '#server/core/present.ts'
import { ENTRY_COLUMNS, ENTRY_NAMES, type EntryRow, toEntry } from '#server/modules/ledger/audit/audit-rows.ts'
import { assertMayReadHistory } from '#server/modules/ledger/audit/list-audit.ts'
import type { AuditDetails, AuditEntry, EntryInput } from '#server/modules/ledger/audit/schema.ts'

interface DetailsRow extends EntryRow {
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  hasWords: boolean
  words: string | null
  seal: string | null
}

/** One act in full, with the other acts of its request. Fails as `listAudit` does; NOT_FOUND for an unknown id. */
export async function readEntry(ctx: Ctx, { auditId }: EntryInput): Promise<AuditDetails> {
  assertMayReadHistory(ctx)
  const row = await queryOne<DetailsRow>(
    ctx,
    sql`
    select ${ENTRY_COLUMNS}, a.before, a.after, a.text_digest is not null as has_words, t.text as words, s.seq::text as seal
    from audit a ${ENTRY_NAMES} left join audit_text t on t.audit_id = a.audit_id left join audit_seal s on s.audit_id = a.audit_id
    where a.audit_id = ${auditId}::bigint`,
  )
  if (row === undefined) throw new DomainError('NOT_FOUND')
  const entry = toEntry(row)
  return {
    ...entry,
    ...present({ before: row.before, after: row.after, words: row.words, seal: row.seal }),
    areWordsErased: row.hasWords && row.words === null,
    sameAct: await readSameAct(ctx, row, entry),
  }
}

/**
 * The acts of one request are close together, because no transaction lasts longer than ten seconds; a background part of Docket
 * logs all its acts under one request id. Uses audit_at.
 */
async function readSameAct(ctx: Ctx, { at, requestId }: EntryRow, entry: AuditEntry): Promise<AuditEntry[]> {
  if (entry.actor.kind === 'system') return [entry]
  const rows = await query<EntryRow>(
    ctx,
    sql`
    select ${ENTRY_COLUMNS} from audit a ${ENTRY_NAMES}
    where a.at between ${at}::timestamptz - interval '10 s' and ${at}::timestamptz + interval '10 s' and a.request_id = ${requestId}
    order by a.at, a.audit_id limit 50`,
  )
  return rows.map(toEntry)
}
