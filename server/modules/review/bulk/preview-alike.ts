import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { MOST_ALIKE, selectAlike } from '#server/modules/review/bulk/alike.ts'
import { type MemberRow, selectMembers, toMember } from '#server/modules/review/bulk/group-members.ts'
import { BULK_LIMIT, type BulkPreview } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { HELD_ITEM } from '#server/modules/review/queue/queue-item.ts'

/**
 * Previews a decision on everything that is held with the same text as one of these items (docs/decisions/0198), newest first. Items that the
 * caller doesn't review add nothing.
 */
export async function previewAlike(ctx: Ctx, subjects: Subject[]): Promise<BulkPreview> {
  const items = sql`${selectAlike(ctx, subjects, HELD_ITEM)} order by queued_at desc, subject_id ${MOST_ALIKE}`
  const rows = await query<MemberRow>(
    ctx,
    sql`${selectMembers(ctx, items)} order by item.queued_at desc, item.subject_id`,
  )
  return { items: rows.slice(0, BULK_LIMIT).map((row) => toMember(ctx, row)), isCut: rows.length > BULK_LIMIT }
}
