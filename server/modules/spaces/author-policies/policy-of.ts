import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { PolicyKind } from '#server/modules/spaces/author-policies/schema.ts'

/** A policy in force, as far as it decides what becomes of content. */
export interface AuthorPolicy {
  policyId: string
  kind: PolicyKind
}

/** Whether policy `a` is in force, as an SQL condition. */
export function isInForce(ctx: Ctx): Sql {
  return sql`(a.ended_at is null and (a.ends_at is null or a.ends_at > ${ctx.now()}))`
}

/**
 * The policy for what this person writes in the community of this column, as an SQL expression of type `AuthorPolicy`: null if there is none. Read in
 * the statement that begins a write, as bans, mutes and rules are. To hold wins over trust, then the community's policy over the network's. What is in
 * no community is never held. Uses author_policy_in_force.
 */
export function policyOf(ctx: Ctx, person: Sql, communityColumn: Sql): Sql {
  return sql`(
    select jsonb_build_object('policyId', a.policy_id::text, 'kind', a.kind) from author_policy a
    where a.user_id = ${person} and ${communityColumn} is not null and coalesce(a.community_id, '') in (${communityColumn}, '') and ${isInForce(ctx)}
    order by a.kind desc, a.community_id is null limit 1)`
}
