import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'
import { holds, mayInCommunity } from '#server/core/permissions.ts'

/**
 * Whether the caller may know of `saved_view v`: it is their own, or shared and narrowed to nothing they do not review. A view
 * names what it is narrowed to, so sharing one tells nobody of a place that is not theirs.
 */
export function isViewVisible(ctx: Ctx): Sql {
  return Prisma.sql`(${isOwnView(ctx)} or v.is_shared and ${reviewsSomewhere(ctx)}
    and (v.filters ->> 'communityId' is null or ${reviewsIn(ctx, Prisma.sql`v.filters ->> 'communityId'`)})
    and (v.filters ->> 'postId' is null or exists (
      select from post p where p.post_id = v.filters ->> 'postId' and ${reviewsIn(ctx, Prisma.sql`p.community_id`)})))`
}

export function isOwnView(ctx: Ctx): Sql {
  return Prisma.sql`coalesce(v.owner_id = ${actingUserId(ctx) ?? null}, false)`
}

/** Whether anything waits for this caller to review it, now or ever. */
export function reviewsSomewhere(ctx: Ctx): Sql {
  return Prisma.sql`exists (select from community k where not k.is_deleted and ${reviewsIn(ctx, Prisma.sql`k.community_id`)})`
}

/** Whoever settles what holds for the whole network settles what opens to all and tidies what others share. */
export function mayTidyViews(ctx: Ctx): boolean {
  return holds(ctx, 'MANAGE_NETWORK_SETTINGS')
}

function reviewsIn(ctx: Ctx, communityColumn: Sql): Sql {
  return Prisma.sql`(${mayInCommunity(ctx, 'reviewComments', communityColumn)} or ${mayInCommunity(ctx, 'reviewPosts', communityColumn)})`
}
