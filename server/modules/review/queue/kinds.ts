import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { IS_QUEUE_OPEN } from '#server/modules/content/items/held.ts'
import { lockOpenReport, lockPending } from '#server/modules/review/decisions/lock-pending.ts'
import type { ItemKind } from '#server/modules/review/decisions/schema.ts'
import { scoreColumn } from '#server/modules/review/queue/facets.ts'
import { mayReviewHeld } from '#server/modules/review/queue/held.ts'
import type { Kind } from '#server/modules/review/queue/kind.ts'
import { listHeld } from '#server/modules/review/queue/list-held.ts'
import { listKind } from '#server/modules/review/queue/list-kind.ts'
import { HELD_ITEM, type ItemRow, namedItems, toQueueItem } from '#server/modules/review/queue/queue-item.ts'
import {
  mayReviewReport,
  mayReviewReportsAnywhere,
  type ReportedRow,
  selectReported,
  toReportedItem,
} from '#server/modules/review/queue/reported.ts'
import type { PendingItem, QueueView } from '#server/modules/review/queue/schema.ts'

/** Comments and posts that are not public before they are approved. */
const held: Kind = {
  name: 'held',
  view: 'waiting',
  mayReview: mayReviewHeld,
  isOpen: IS_QUEUE_OPEN,
  list: listHeld,
  async read(ctx, items, { isCounted, signal, ...wanted }) {
    const scored = sql`select ${HELD_ITEM} ${scoreColumn({ signal }, sql`i.subject_type`)} from (${items}) i`
    const rows = await query<ItemRow>(ctx, namedItems(scored, { isCounted }))
    return rows.map((row) => toQueueItem(ctx, row, wanted))
  },
  lock: lockPending,
  tallies: { comment: 'held_comments', post: 'held_posts' },
  isGrouped: true,
  eventSuffix: '',
}

/** What people or rules have flagged. */
const reported: Kind = {
  name: 'reported',
  view: 'reported',
  mayReview: mayReviewReport,
  isOpen: sql`true`,
  list: (ctx, input, options) =>
    listKind(ctx, reported, input, { ...options, isEverywhere: mayReviewReportsAnywhere(ctx) }),
  async read(ctx, items, wanted) {
    const rows = await query<ReportedRow>(ctx, selectReported(ctx, { from: sql`(${items}) i` }))
    return rows.map((row) => toReportedItem(ctx, row, wanted))
  },
  lock: lockOpenReport,
  tallies: {
    comment: 'reported_comments',
    post: 'reported_posts',
    message: 'reported_messages',
    user: 'reported_people',
  },
  isGrouped: false,
  logged: 'report',
  eventSuffix: 'Report',
}

export const KINDS: Record<ItemKind, Kind> = { held, reported }

export function kindOf({ kind = 'held' }: Pick<PendingItem, 'kind'>): Kind {
  return KINDS[kind]
}

/** The kind whose items a view lists that isn't across kinds. */
export function kindOfView(view: QueueView): Kind {
  return Object.values(KINDS).find((kind) => kind.view === view) ?? held
}

/** Whether the caller may review `review_item i`, also once it is decided. */
export function mayReviewItem(ctx: Ctx): Sql {
  return byKind(({ mayReview }) => mayReview(ctx))
}

/** Whether a pending `review_item i` is in a queue of the caller's. */
export function isListed(ctx: Ctx): Sql {
  return byKind(({ mayReview, isOpen }) => sql`${mayReview(ctx)} and ${isOpen}`)
}

function byKind(of: (kind: Kind) => Sql): Sql {
  const cases = Object.entries(KINDS).map(([name, kind]) => sql`when ${sql.raw(`'${name}'`)} then ${of(kind)}`)
  return sql`case i.kind ${sql.join(cases, ' ')} else false end`
}
