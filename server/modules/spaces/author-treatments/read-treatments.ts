import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { joinedRow } from '#server/core/database/row-maker.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { holds, mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { mayEnd, maySetEverywhere, maySetIn } from '#server/modules/spaces/author-treatments/may-set-treatment.ts'
import type {
  TreatmentChoice,
  TreatmentChoicesInput,
  TreatmentInForce,
  TreatmentKind,
  TreatmentSpace,
} from '#server/modules/spaces/author-treatments/schema.ts'
import { isInForce } from '#server/modules/spaces/author-treatments/treatment-of.ts'
import { PLACE_NAME, placesOf } from '#server/modules/spaces/places-of.ts'

const SHOWN = 50

interface Place {
  communityId: string | null
  displayName: string
}

interface Terms {
  treatmentId: string
  kind: TreatmentKind
  by: string
  at: Date
  endsAt: Date | null
  reason: string | null
}

const COLUMNS = sql`
  a.treatment_id::text as treatment_id, a.kind::text as kind, coalesce(maker.display_name, a.set_by) as by, a.created_at as at, a.ends_at, a.reason`
const MAKER = sql`left join network_user maker on maker.user_id = a.set_by`

/**
 * Whether the caller may know of treatment `a`: of those of communities that they review, and of the network's; with VIEW_USERS or MANAGE_POST_AND_COMMENT of
 * all. Nobody knows of their own.
 */
export function mayKnowTreatment(ctx: Ctx): Sql {
  const me = actingUserId(ctx) ?? null
  if (holds(ctx, 'VIEW_USERS') || holds(ctx, 'MANAGE_POST_AND_COMMENT')) return sql`a.user_id is distinct from ${me}`
  return sql`(a.user_id is distinct from ${me} and (${mayReview(ctx, sql`a.community_id`)} or a.community_id is null and exists (
    select from community_user own where own.user_id = ${me} and ${mayReview(ctx, sql`own.community_id`)})))`
}

function mayReview(ctx: Ctx, communityColumn: Sql): Sql {
  return sql`(${mayInCommunity(ctx, 'reviewComments', communityColumn)} or ${mayInCommunity(ctx, 'reviewPosts', communityColumn)})`
}

/** The treatments in force for a person that the caller may know of, the network's first. Uses author_treatment_in_force. */
export async function readTreatments(ctx: Ctx, userId: string): Promise<TreatmentInForce[]> {
  const rows = await query<Place & Terms & { mayEnd: boolean }>(
    ctx,
    sql`
    select a.community_id, ${PLACE_NAME} as display_name, ${mayEnd(ctx)} as may_end, ${COLUMNS}
    from author_treatment a left join community k on k.community_id = a.community_id ${MAKER}
    where a.user_id = ${userId} and ${isInForce(ctx)} and ${mayKnowTreatment(ctx)} and not coalesce(k.is_deleted, false)
    order by a.community_id is not null, display_name, a.treatment_id ${sql.raw(`limit ${SHOWN}`)}`,
  )
  return rows.map(({ mayEnd, ...row }) => ({ ...placeOf(row), ...termsOf(row), mayEnd }))
}

/**
 * Where the caller may set a treatment for this person, who is of lower rank there, with the one in force: the community where the caller came across them,
 * or all that they are a member of, by name, at most 50; last, the network. Uses community_user_user_id_idx and author_treatment_in_force.
 */
export async function readTreatmentChoices(
  ctx: Ctx,
  { userId, communityId }: TreatmentChoicesInput,
): Promise<TreatmentChoice[]> {
  const rows = await query<Place & { treatment: Terms | null }>(
    ctx,
    sql`
    with place as (${placesOf(ctx, { userId, communityId }, { mayIn: maySetIn, mayEverywhere: maySetEverywhere(ctx) })})
    select place.*, ${joinedRow('treatment')}, ${COLUMNS}
    from place join network_user u on u.user_id = ${userId} and not u.is_deleted
    left join author_treatment a on a.user_id = u.user_id and coalesce(a.community_id, '') = coalesce(place.community_id, '') and ${isInForce(ctx)}
    ${MAKER}
    where u.user_id is distinct from ${actingUserId(ctx) ?? null}
    order by place.community_id is null, place.display_name, place.community_id`,
  )
  return rows.map(({ treatment, ...place }) => ({
    ...placeOf(place),
    ...(treatment && { treatment: termsOf(treatment) }),
  }))
}

function placeOf({ communityId, displayName }: Place) {
  const space: TreatmentSpace = communityId === null ? { scope: 'network' } : { scope: 'community', communityId }
  return { space, displayName }
}

function termsOf({ treatmentId, kind, by, at, endsAt, reason }: Terms) {
  return { treatmentId, kind, by, at: at.toISOString(), ...present({ endsAt: endsAt?.toISOString(), reason }) }
}
