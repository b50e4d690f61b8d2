import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { assertSignature } from '#server/core/signed-link.ts'
import { nameOfReport, toReport } from '#server/modules/ledger/audit/open-report.ts'
import { HEADER } from '#server/modules/ledger/audit/report-rows.ts'
import type { ReportLink } from '#server/modules/ledger/audit/schema.ts'

const LINES_A_PIECE = 1_000

/**
 * One day's file, streamed so that only a small part is in memory. `findAsker` gives the context of a call with the link's credential. NOT_FOUND
 * for an expired or invalid link and for a credential that has ended, FORBIDDEN if it may no longer see the history.
 */
export async function readReport(
  findAsker: (credential: { kind: ReportLink['credential']; id: string }) => Promise<Ctx>,
  key: Buffer,
  link: ReportLink,
): Promise<{ fileName: string; pieces: AsyncIterable<string> }> {
  const ctx = await findAsker({ kind: link.credential, id: link.credentialId })
  assertSignature(ctx, key, toReport(link.fileId), link)
  if (!holds(ctx, 'VIEW_HISTORY')) throw new DomainError('FORBIDDEN')
  return { fileName: nameOfReport(link.fileId), pieces: piecesOf(ctx, link.fileId) }
}

async function* piecesOf(ctx: Ctx, fileId: string): AsyncIterable<string> {
  yield HEADER
  let after = { at: new Date(fileId), auditId: '0' }
  for (;;) {
    const lines = await readLines(ctx, fileId, after)
    if (lines.length > 0) yield lines.map(({ line }) => line).join('')
    const last = lines.at(-1)
    if (last === undefined || lines.length < LINES_A_PIECE) return
    after = last
  }
}

/** Leaves out notes that were erased beside the log. Uses reported_act_at_audit_id_line_bytes_idx. */
function readLines(ctx: Ctx, fileId: string, after: { at: Date; auditId: string }) {
  return query<{ line: string; at: Date; auditId: string }>(
    ctx,
    sql`
    select report_line(a, r.event, t.text) as line, r.at, r.audit_id::text as audit_id
    from (
      select * from reported_act
      where (at, audit_id) > (${after.at}, ${after.auditId}::bigint) and at < ${new Date(fileId)}::timestamptz + interval '1 day'
      order by at, audit_id limit ${LINES_A_PIECE}) r
    join audit a on a.audit_id = r.audit_id left join audit_text t on t.audit_id = r.audit_id
    order by r.at, r.audit_id`,
  )
}
