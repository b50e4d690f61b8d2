import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { TreatmentKind } from '#server/modules/spaces/author-treatments/schema.ts'

/** A treatment in force, as far as it decides what becomes of content. */
export interface AuthorTreatment {
  treatmentId: string
  kind: TreatmentKind
}

/** Whether treatment `a` is in force, as an SQL condition. */
export function isInForce(ctx: Ctx): Sql {
  return sql`(a.ended_at is null and (a.ends_at is null or a.ends_at > ${ctx.now()}))`
}

/**
 * The treatment for what this person writes in the community of this column, as an SQL expression of type `AuthorTreatment`: null if there is none. Read in
 * the statement that begins a write, as bans, mutes and rules are. To hold wins over trust, then the community's treatment over the network's. What is in
 * no community is never held. Uses author_treatment_in_force.
 */
export function treatmentOf(ctx: Ctx, person: Sql, communityColumn: Sql): Sql {
  return sql`(
    select jsonb_build_object('treatmentId', a.treatment_id::text, 'kind', a.kind) from author_treatment a
    where a.user_id = ${person} and ${communityColumn} is not null and coalesce(a.community_id, '') in (${communityColumn}, '') and ${isInForce(ctx)}
    order by a.kind desc, a.community_id is null limit 1)`
}
