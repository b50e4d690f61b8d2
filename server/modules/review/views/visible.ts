import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { holds } from '#server/core/permissions.ts'
import { reviewsIn, reviewsSomewhere } from '#server/modules/review/queue/reviewed-spaces.ts'

/**
 * Whether the caller may see `saved_view v`: it is their own, or shared and limited to what they review. A view names its
 * spaces, so sharing one must not reveal a space to people who may not see it.
 */
export function isViewVisible(ctx: Ctx): Sql {
  return sql`(${isOwnView(ctx)} or v.is_shared and ${reviewsSomewhere(ctx)}
    and (v.filters ->> 'communityId' is null or ${reviewsIn(ctx, sql`v.filters ->> 'communityId'`)})
    and (v.filters ->> 'postId' is null or exists (
      select from post p where p.post_id = v.filters ->> 'postId' and ${reviewsIn(ctx, sql`p.community_id`)})))`
}

export function isOwnView(ctx: Ctx): Sql {
  return sql`coalesce(v.owner_id = ${actingUserId(ctx) ?? null}, false)`
}

/** Admins of network settings may set shared defaults and change shared views. */
export function mayTidyViews(ctx: Ctx): boolean {
  return holds(ctx, 'MANAGE_NETWORK_SETTINGS')
}
