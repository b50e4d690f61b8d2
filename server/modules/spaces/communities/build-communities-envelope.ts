import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { readRolesOf } from '#server/modules/accounts/roles/read-roles.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { readReferencedUsers, type UserReferences } from '#server/modules/accounts/users/referenced-users.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'
import type { CommunitiesAnswer } from '#server/modules/spaces/communities/schema.ts'
import {
  CATEGORY_COLUMNS,
  type CategoryRow,
  COMMUNITY_COLUMNS,
  COMMUNITY_USER_COLUMNS,
  type CommunityRow,
  type CommunityUserRow,
  FEED_COLUMNS,
  type FeedRow,
  toCategoryView,
  toCommunityUserView,
  toCommunityView,
  toFeedView,
} from '#server/modules/spaces/communities/view.ts'
import { isJoined } from '#server/modules/spaces/communities/visible.ts'

/**
 * The envelope (docs/interface/communities.md#envelope): these communities in their order, the memberships of these users in them, and
 * everything that both, or the records returned beside them, refer to. The users are the caller alone, unless others are concerned.
 */
export async function buildCommunitiesEnvelope(
  ctx: Ctx,
  communityIds: string[],
  userIds: string[] = callerOf(ctx),
  alsoAnswered: UserReferences[] = [],
): Promise<CommunitiesAnswer> {
  const rows = await readCommunities(ctx, communityIds)
  const [communityUsers, users, categories, feeds] = await Promise.all([
    readCommunityUsers(ctx, communityIds, userIds),
    readReferencedUsers(ctx, [...userIds.map((userId) => ({ userId })), ...rows, ...alsoAnswered]),
    readCategories(ctx, [...new Set(rows.flatMap(({ categoryIds }) => categoryIds))]),
    readFeeds(ctx, communityIds),
  ])
  const communities = rows.map((row) => toCommunityView(ctx, row))
  const [roles, files] = await Promise.all([
    readRolesOf(ctx, [...communityUsers, ...users]),
    readFiles(ctx, avatarsOf([...communities, ...users, ...categories])),
  ])
  return { communities, communityUsers, files, users, roles, categories, feeds }
}

function callerOf(ctx: Ctx): string[] {
  const userId = actingUserId(ctx)
  return userId === undefined ? [] : [userId]
}

function readCommunities(ctx: Ctx, communityIds: string[]): Promise<CommunityRow[]> {
  return query(
    ctx,
    sql`
    select ${COMMUNITY_COLUMNS}, ${isJoined(ctx)} as is_joined from community k
    where k.community_id = any(${communityIds}) order by array_position(${communityIds}, k.community_id)`,
  )
}

/** In the order of the users, who are a page of members or the targets of an action. */
async function readCommunityUsers(ctx: Ctx, communityIds: string[], userIds: string[]) {
  if (userIds.length === 0) return []
  const rows = await query<CommunityUserRow>(
    ctx,
    sql`
    select ${COMMUNITY_USER_COLUMNS}
    from community_user cu join community k on k.community_id = cu.community_id join network_user u on u.user_id = cu.user_id
    where cu.community_id = any(${communityIds}) and cu.user_id = any(${userIds})
    order by array_position(${communityIds}, cu.community_id), array_position(${userIds}, cu.user_id)`,
  )
  return rows.map(toCommunityUserView)
}

async function readCategories(ctx: Ctx, categoryIds: string[]) {
  if (categoryIds.length === 0) return []
  const rows = await query<CategoryRow>(
    ctx,
    sql`
    select ${CATEGORY_COLUMNS} from category c where c.category_id = any(${categoryIds}) order by c.category_id`,
  )
  return rows.map(toCategoryView)
}

/** The counts of pending and declined posts are for reviewers. Uses feed_target_id_idx. */
async function readFeeds(ctx: Ctx, communityIds: string[]) {
  const rows = await query<FeedRow>(
    ctx,
    sql`
    select ${FEED_COLUMNS} from feed f
    where f.target_id = any(${communityIds}) and f.target_type = 'community'
      and (f.feed_type = 'published' or ${mayInCommunity(ctx, 'reviewPosts', sql`f.target_id`)})
    order by f.feed_id`,
  )
  return rows.map(toFeedView)
}
