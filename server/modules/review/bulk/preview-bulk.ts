import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { previewMembers } from '#server/modules/review/bulk/preview-members.ts'
import {
  BULK_LIMIT,
  type BulkPreview,
  type PreviewBulk,
  type PreviewedItem,
  type SeenItem,
} from '#server/modules/review/bulk/schema.ts'
import { toPreviewed } from '#server/modules/review/bulk/to-previewed.ts'
import type { HeldOutcome, Subject } from '#server/modules/review/decisions/schema.ts'
import { itemsOf, mayReviewHeld } from '#server/modules/review/queue/held.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { HELD_ITEM, type ItemRow, namedItems, toQueueItem } from '#server/modules/review/queue/queue-item.ts'

/** Previews a bulk decision: what it would do, and which items can't be decided and why. Changes nothing. */
export async function previewBulk(ctx: Ctx, input: PreviewBulk): Promise<BulkPreview> {
  if ('matching' in input) {
    const page = await listDeskQueue(ctx, { ...input.matching, order: 'newest', limit: BULK_LIMIT })
    return { items: page.items.map((item) => toPreviewed(ctx, item, item)), isCut: page.next !== undefined }
  }
  if (!('items' in input)) return previewMembers(ctx, input)
  const rows = await readItems(ctx, input.items)
  const known = new Map(rows.map((row) => [keyOf(row), toQueueItem(ctx, row)]))
  const gone = input.items.filter((seen) => known.get(keyOf(seen))?.allowed.length === 0)
  const decided = await readDecided(ctx, gone)
  const items = input.items.map((seen) => toPreviewed(ctx, seen, known.get(keyOf(seen)), decided.get(keyOf(seen))))
  return { items, isCut: false }
}

const keyOf = ({ subjectType, subjectId }: Subject) => `${subjectType}:${subjectId}`

/** Limited to what the caller reviews. */
function readItems(ctx: Ctx, items: SeenItem[]): Promise<ItemRow[]> {
  return query<ItemRow>(
    ctx,
    namedItems(sql`select ${HELD_ITEM} from ${itemsOf(items)} where i.placed_at is not null and ${mayReviewHeld(ctx)}`),
  )
}

/**
 * Who decided the items that are no longer pending, if that decision was not undone. Uses
 * decision_subject_type_subject_id_decided_at_idx.
 */
async function readDecided(ctx: Ctx, items: SeenItem[]): Promise<Map<string, PreviewedItem['decided']>> {
  if (items.length === 0) return new Map()
  const rows = await query<Decider>(
    ctx,
    sql`
    select item.type as subject_type, item.id as subject_id, d.outcome, d.decided_by_name, d.decided_at
    from unnest(${items.map(({ subjectType }) => subjectType)}::subject_type[], ${items.map(({ subjectId }) => subjectId)}::text[])
      as item(type, id)
    cross join lateral (
      select d.outcome, d.decided_by_name, d.decided_at from decision d
      where d.subject_type = item.type and d.subject_id = item.id and d.undone_at is null
      order by d.decided_at desc, d.decision_id desc limit 1) d
    where d.outcome in ('approved', 'rejected')`,
  )
  return new Map(
    rows.map(({ outcome, decidedByName, decidedAt, ...subject }) => [
      keyOf(subject),
      { outcome, decidedByName, decidedAt: decidedAt.toISOString() },
    ]),
  )
}

interface Decider extends Subject {
  outcome: HeldOutcome
  decidedByName: string
  decidedAt: Date
}
