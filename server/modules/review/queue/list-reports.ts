import { actingUserId, actorHolds, type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { toCursor } from '#server/core/paging.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import { positionOf } from '#server/modules/review/queue/position.ts'
import type { TextsWanted } from '#server/modules/review/queue/queue-item.ts'
import {
  mayReviewReport,
  mayReviewReportsAnywhere,
  type ReportedRow,
  selectReported,
  toReportedItem,
} from '#server/modules/review/queue/reported.ts'
import { reviewedSpaces } from '#server/modules/review/queue/reviewed-spaces.ts'
import type { DeskQueueInput, QueuePage } from '#server/modules/review/queue/schema.ts'

/**
 * Open reports, by when they were flagged last, paged by cursor: in one community, or all that the caller may review. Fails
 * with NOT_FOUND for an unknown community, FORBIDDEN for one the caller does not review, INVALID_PARAMETERS for an invalid
 * cursor.
 */
export async function listReports(ctx: Ctx, input: DeskQueueInput, wanted: TextsWanted = {}): Promise<QueuePage> {
  const [space] = input.communityId === undefined ? [] : await reviewedSpaces(ctx, input.communityId)
  const rows = await readPage(ctx, input)
  if (rows.length === 0) ensureLookedUp(ctx)
  const items = rows.slice(0, input.limit).map((row) => toReportedItem(ctx, row, wanted))
  const last = items.at(-1)
  return {
    items,
    ...(rows.length > input.limit &&
      last && { next: toCursor({ heldAt: last.heldAt, subjectType: last.subjectType, subjectId: last.subjectId }) }),
    narrowedTo: { ...(space && { community: { communityId: space.communityId, displayName: space.displayName } }) },
  }
}

/** Uses review_item_reported, review_item_in_community and review_item_in_channel. */
function readPage(ctx: Ctx, input: DeskQueueInput): Promise<ReportedRow[]> {
  const order =
    input.order === 'newest'
      ? sql`r.placed_at desc, r.subject_type, r.subject_id`
      : sql`r.placed_at, r.subject_type desc, r.subject_id desc`
  const kind = input.kind === undefined ? sql.empty : sql`and r.subject_type = ${input.kind}`
  const scan = (where: Sql) => sql`(
    select r.* from review_item r
    where r.state = 'waiting' and r.kind = 'reported' and ${where} and ${actorHolds(ctx)} and ${mayReviewReport(ctx)} ${kind} ${after(input)}
    order by ${order} ${atMost(input.limit + 1)})`
  return query<ReportedRow>(
    ctx,
    sql`
    with page as materialized (select r.* from (${scans(ctx, input, scan)}) r order by ${order} ${atMost(input.limit + 1)})
    ${selectReported(ctx, { from: sql`page r` })} order by ${order}`,
  )
}

/**
 * One index scan for callers who may review all reports, else one for each channel where they have a role, and one for each type in each such
 * community.
 */
function scans(ctx: Ctx, { communityId }: DeskQueueInput, scan: (where: Sql) => Sql): Sql {
  const inCommunity = (id: Sql) =>
    sql.join(
      IN_COMMUNITIES.map((type) => scan(sql`r.community_id = ${id} and r.subject_type = ${sql.raw(`'${type}'`)}`)),
      ' union all ',
    )
  if (communityId !== undefined) return inCommunity(sql`${communityId}`)
  if (mayReviewReportsAnywhere(ctx)) return scan(sql`true`)
  const own = sql`mine.user_id = ${actingUserId(ctx) ?? null} and mine.membership = 'member' and mine.roles <> '{}'`
  return sql`
    select r.* from community_user mine
    cross join lateral (${inCommunity(sql`mine.community_id`)}) r where ${own}
    union all
    select r.* from channel_user mine
    cross join lateral ${scan(sql`r.channel_id = mine.channel_id`)} r where ${own}`
}

const IN_COMMUNITIES = ['comment', 'post'] as const

/** Conditions for rows after the cursor in the list's order. */
function after({ cursor, order }: DeskQueueInput): Sql {
  const position = positionOf({ cursor })
  if (position === undefined) return sql.empty

  const flaggedAt = new Date(position.heldAt)
  const subject = sql`(${position.subjectType}, ${position.subjectId})`
  return order === 'newest'
    ? sql`and r.placed_at <= ${flaggedAt}
        and (r.placed_at < ${flaggedAt} or (r.subject_type, r.subject_id) > ${subject})`
    : sql`and r.placed_at >= ${flaggedAt}
        and (r.placed_at > ${flaggedAt} or (r.subject_type, r.subject_id) < ${subject})`
}
