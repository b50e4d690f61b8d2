import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { mayReviewContent } from '#server/modules/content/reviewable/reviewable.ts'
import { HOLDABLE, type Holdable } from '#server/modules/review/bulk/alike.ts'
import { findWave, type WaveMember } from '#server/modules/review/bulk/find-wave.ts'
import { type MemberRow, selectMembers, toMember } from '#server/modules/review/bulk/group-members.ts'
import type { BulkPreview } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { COMMENT_ITEM, POST_ITEM } from '#server/modules/review/queue/queue-item.ts'

/** Previews a decision on the wave of an item (docs/decisions/0239), the least similar first. Nothing if it belongs to none. */
export async function previewWave(ctx: Ctx, subject: Subject): Promise<BulkPreview> {
  const wave = await findWave(ctx, subject)
  if (wave === undefined) return { items: [], isCut: false }
  const items = sql`
    ${heldOf(ctx, HOLDABLE.comment, { item: COMMENT_ITEM, members: wave.members })}
    union all
    ${heldOf(ctx, HOLDABLE.post, { item: POST_ITEM, members: wave.members })}`
  const rows = await query<MemberRow>(ctx, selectMembers(ctx, items))
  const places = new Map(
    wave.members.map(({ subjectType, subjectId }, place) => [`${subjectType}:${subjectId}`, place]),
  )
  const placeOf = ({ subjectType, subjectId }: Subject) => places.get(`${subjectType}:${subjectId}`) ?? 0
  const sorted = rows.toSorted((one, other) => placeOf(one) - placeOf(other))
  return { items: sorted.map((row) => toMember(ctx, row)), isCut: wave.isCut, traits: wave.traits }
}

/** Those that are still held. */
function heldOf(ctx: Ctx, kind: Holdable, { item, members }: { item: Sql; members: WaveMember[] }): Sql {
  const { type, table, alias, id, isHeld } = kind
  const ids = members.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
  return sql`
    select ${item}, ${alias}.edited_at from ${table} ${alias}
    where ${id} = any(${ids}::text[]) and ${isHeld} and ${mayReviewContent(ctx, kind)}`
}
