import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'
import { findWave } from '#server/modules/review/bulk/find-wave.ts'
import { type MemberRow, selectMembers, toMember } from '#server/modules/review/bulk/group-members.ts'
import type { BulkPreview } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { itemsOf, mayReviewHeld } from '#server/modules/review/queue/held.ts'
import { HELD_ITEM } from '#server/modules/review/queue/queue-item.ts'

/** Previews a decision on the wave of an item (docs/decisions/0239), the least similar first. Nothing if it belongs to none. */
export async function previewWave(ctx: Ctx, subject: Subject): Promise<BulkPreview> {
  const wave = await findWave(ctx, subject)
  if (wave === undefined) return { items: [], isCut: false }
  const items = sql`
    select ${HELD_ITEM} from ${itemsOf(wave.members)} where ${IS_HELD} and ${mayReviewHeld(ctx)}`
  const rows = await query<MemberRow>(ctx, selectMembers(ctx, items))
  const places = new Map(
    wave.members.map(({ subjectType, subjectId }, place) => [`${subjectType}:${subjectId}`, place]),
  )
  const placeOf = ({ subjectType, subjectId }: Subject) => places.get(`${subjectType}:${subjectId}`) ?? 0
  const sorted = rows.toSorted((one, other) => placeOf(one) - placeOf(other))
  return { items: sorted.map((row) => toMember(ctx, row)), isCut: wave.isCut, traits: wave.traits }
}
