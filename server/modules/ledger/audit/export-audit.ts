import type { PoolClient } from 'pg'
import type { Ctx } from '#server/core/ctx.ts'
import { inSnapshot, linesInPieces } from '#server/core/database/snapshot.ts'
import { inTransaction, sql } from '#server/core/db.ts'
import { assertSignature, signLink } from '#server/core/signed-link.ts'
import { ENTRY_NAMES, matchesFilter, NAME_COLUMNS } from '#server/modules/ledger/audit/audit-rows.ts'
import { assertMayReadHistory } from '#server/modules/ledger/audit/list-audit.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { AuditFilter, type AuditLink } from '#server/modules/ledger/audit/schema.ts'

const HEADER =
  'audit_id,at,actor_kind,actor_id,source,action,subject_type,subject_id,community_id,channel_id,before,after,words,request_id,actor_name,subject_name,community_name,channel_name\r\n'

/** What its link is signed for. */
const toFile = (filter: string) => ['audit', filter]

/**
 * A link to the filtered log as CSV, valid for one minute and for the caller only. The request and its filter are logged.
 * Needs admin VIEW_HISTORY, else FORBIDDEN.
 */
export function openAuditExport(ctx: Ctx, key: Buffer, asked: AuditFilter): Promise<AuditLink> {
  assertMayReadHistory(ctx)
  const filter = JSON.stringify(asked)
  return inTransaction(ctx, async (ctx) => {
    await recordAudit(ctx, { action: 'audit.exported', subjectType: 'audit', subjectId: 'log', after: { ...asked } })
    return { filter, ...signLink(ctx, key, toFile(filter)) }
  })
}

/**
 * The file, streamed in chunks from one snapshot, newest first. NOT_FOUND for an expired or invalid link and
 * somebody else's, FORBIDDEN for a caller who may no longer see the log.
 */
export function readAuditExport(ctx: Ctx, key: Buffer, link: AuditLink): AsyncIterable<string> {
  assertSignature(ctx, key, toFile(link.filter), link)
  assertMayReadHistory(ctx)
  const filter = AuditFilter.parse(JSON.parse(link.filter))
  return inSnapshot(ctx, (client) => linesOf(client, filter))
}

/** Cells as `csv_cell` makes them, so that no spreadsheet runs one as a formula. */
async function* linesOf(client: PoolClient, filter: AuditFilter): AsyncIterable<string> {
  yield HEADER
  const pieces = linesInPieces(
    client,
    sql`
    select concat_ws(',', a.audit_id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), csv_cell(a.actor_kind),
      csv_cell(a.actor_id), csv_cell(a.source::text), csv_cell(a.action), csv_cell(a.subject_type), csv_cell(a.subject_id),
      csv_cell(a.community_id), csv_cell(a.channel_id), csv_cell(a.before::text), csv_cell(a.after::text), csv_cell(t.text),
      csv_cell(a.request_id), csv_cell(named.actor_name), csv_cell(named.subject_name), csv_cell(named.community_name),
      csv_cell(named.channel_name)) || E'\\r\\n' as line
    from audit a ${ENTRY_NAMES} left join audit_text t on t.audit_id = a.audit_id
      cross join lateral (select ${NAME_COLUMNS}) named
    where ${matchesFilter(filter)} order by a.at desc, a.audit_id desc`,
  )
  for await (const lines of pieces) yield lines.join('')
}
