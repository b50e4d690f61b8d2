import type { Ctx } from '#server/core/ctx.ts'
import { type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { nameOfReport } from '#server/modules/ledger/audit/open-report.ts'
import { HEADER } from '#server/modules/ledger/audit/report-rows.ts'
import type { ReportsPage, ReportsQuery } from '#server/modules/ledger/audit/schema.ts'

const REPORTS_A_PAGE = 10
const LATEST_FIRST: ListOrder = {
  first: { column: sql`day.start`, isDescending: true, type: 'timestamptz' },
  tie: { column: sql`day.id`, isDescending: true },
}
const ON_DAY = sql`r.at >= day.start and r.at < day.start + interval '1 day'`

/**
 * The days with reported acts, newest first, each a file; available even when collection is off. Needs admin VIEW_HISTORY, else
 * FORBIDDEN. A skip scan along reported_act_at_audit_id_line_bytes_idx, then a read of the page's days.
 */
export async function listReports(ctx: Ctx, input: ReportsQuery): Promise<ReportsPage> {
  if (!holds(ctx, 'VIEW_HISTORY')) throw new DomainError('FORBIDDEN')
  const page = readPageRequest(input, REPORTS_A_PAGE)
  const { where, orderBy, limit } = pageClauses(LATEST_FIRST, page)
  const found = await query<{ fileId: string; start: Date; bytes: number; lastModified: Date }>(
    ctx,
    sql`
    with recursive hop as (
      select date_trunc('day', max(at), 'UTC') as start from reported_act
      union all
      select (select date_trunc('day', max(at), 'UTC') from reported_act where at < hop.start) from hop where hop.start is not null),
    day as (select start, to_char(start at time zone 'UTC', 'YYYY-MM-DD') as id from hop where start is not null),
    page as materialized (select * from day where ${where} order by ${orderBy} ${limit})
    select day.id as file_id, day.start, file.bytes + notes.bytes as bytes, file.at as last_modified
    from page day cross join lateral (
      select sum(r.line_bytes)::float8 as bytes, max(r.at) as at from reported_act r where ${ON_DAY}) file
    cross join lateral (
      select coalesce(sum(octet_length(csv_cell(t.text))), 0)::float8 as bytes
      from reported_act r join audit_text t on t.audit_id = r.audit_id where ${ON_DAY}) notes
    order by ${orderBy}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [row.start.toISOString(), row.fileId])
  return {
    reports: rows.map(({ fileId, bytes, lastModified }) => ({
      fileId,
      fileName: nameOfReport(fileId),
      fileSize: HEADER.length + bytes,
      lastModified: lastModified.toISOString(),
    })),
    paging,
  }
}
