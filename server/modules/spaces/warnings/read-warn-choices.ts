import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { TreatmentChoicesInput, TreatmentSpace } from '#server/modules/spaces/author-treatments/schema.ts'
import { placesOf } from '#server/modules/spaces/places-of.ts'
import { mayWarnEverywhere, mayWarnIn } from '#server/modules/spaces/warnings/warn.ts'

/** Where the caller may warn this person: see `placesOf`. */
export async function readWarnChoices(
  ctx: Ctx,
  met: TreatmentChoicesInput,
): Promise<{ space: TreatmentSpace; displayName: string }[]> {
  const may = { mayIn: mayWarnIn, mayEverywhere: mayWarnEverywhere(ctx) }
  const places = await query<{ communityId: string | null; displayName: string }>(
    ctx,
    sql`
    select place.* from (${placesOf(ctx, met, may)}) place join network_user person on person.user_id = ${met.userId} and not person.is_deleted
    where person.user_id is distinct from ${actingUserId(ctx) ?? null}
    order by place.community_id is null, place.display_name, place.community_id`,
  )
  return places.map(({ communityId, displayName }) => ({
    space: communityId === null ? { scope: 'network' } : { scope: 'community', communityId },
    displayName,
  }))
}
