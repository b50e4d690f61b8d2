import { actorHolds, type Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { isWhole, type Narrowing } from '#server/modules/review/queue/desk-filter.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import { positionOf } from '#server/modules/review/queue/position.ts'
import {
  IS_ESCALATED,
  looksIntoReport,
  type ReportedRow,
  selectReported,
  toReportedItem,
} from '#server/modules/review/queue/reported.ts'
import type { DeskFilter, DeskQueueInput, QueueItem, Subject } from '#server/modules/review/queue/schema.ts'

/**
 * A held item that is escalated too is listed as that. Worded as the index report_escalated is.
 */
function isListed(ctx: Ctx, { communityId, kind }: Pick<DeskFilter, 'communityId' | 'kind'>): Sql {
  return sql`
    r.escalated_at is not null and r.closed_at is null and ${IS_ESCALATED} and ${actorHolds(ctx)} and ${looksIntoReport(ctx)}
    ${communityId === undefined ? sql.empty : sql`and r.community_id = ${communityId}`}
    ${kind === undefined ? sql.empty : sql`and r.subject_type = ${kind}::subject_type`}
    and not exists (
      select from escalation e where e.subject_type = r.subject_type and e.subject_id = r.subject_id and e.closed_at is null)`
}

/** Reports are filtered by community and type only: any other filter leaves them out. */
function includesReports({ communityId: _, kind: __, ...filter }: DeskFilter): boolean {
  return isWhole({ ...filter, view: 'waiting' } satisfies Narrowing)
}

/** Escalated reports after the cursor, in the order of the escalated view; one more than the limit. There are few. Uses report_escalated. */
export async function listEscalatedReports(
  ctx: Ctx,
  { order, limit, cursor, ...filter }: DeskQueueInput,
): Promise<QueueItem[]> {
  if (!includesReports(filter)) return []
  const inOrder =
    order === 'newest'
      ? sql`r.last_flagged_at desc, r.subject_id, r.subject_type`
      : sql`r.last_flagged_at, r.subject_id desc, r.subject_type desc`
  const rows = await query<ReportedRow>(
    ctx,
    sql`
    with page as materialized (
      select r.* from report r where ${isListed(ctx, filter)} ${after({ order, cursor })} order by ${inOrder} ${atMost(limit + 1)})
    ${selectReported(ctx, { from: sql`page r` })} order by ${inOrder}`,
  )
  return rows.map((row) => toReportedItem(ctx, row))
}

/** How many of them there are. */
export async function countEscalatedReports(
  ctx: Ctx,
  filter: DeskFilter = { view: 'escalated', timeZone: 'UTC' },
): Promise<number> {
  const counted = await queryOne<{ count: number }>(ctx, escalatedReportTotal(ctx, filter))
  return counted?.count ?? 0
}

/** The statement of `countEscalatedReports`: one row, `count`. */
export function escalatedReportTotal(ctx: Ctx, filter: DeskFilter): Sql {
  return includesReports(filter)
    ? sql`select count(*)::int as count from report r where ${isListed(ctx, filter)}`
    : sql`select 0 as count`
}

/** Whether the escalated view shows the report of an item: it was escalated as a report, and never as a held item. */
export async function isEscalatedAsReport(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<boolean> {
  const found = await queryOne(
    ctx,
    sql`
    select true as found from report r
    where r.subject_type = ${subjectType}::subject_type and r.subject_id = ${subjectId} and r.escalated_at is not null
      and not exists (select from escalation e where e.subject_type = r.subject_type and e.subject_id = r.subject_id)`,
  )
  return found !== undefined
}

function after({ order, cursor }: Pick<DeskQueueInput, 'order' | 'cursor'>): Sql {
  const position = positionOf({ cursor })
  if (position === undefined) return sql.empty
  const at = new Date(position.heldAt)
  const subject = sql`(${position.subjectId}, ${position.subjectType}::subject_type)`
  return order === 'newest'
    ? sql`and (r.last_flagged_at < ${at} or r.last_flagged_at = ${at} and (r.subject_id, r.subject_type) > ${subject})`
    : sql`and (r.last_flagged_at > ${at} or r.last_flagged_at = ${at} and (r.subject_id, r.subject_type) < ${subject})`
}
