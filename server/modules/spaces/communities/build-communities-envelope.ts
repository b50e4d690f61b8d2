import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { jsonOfRows, rowsOfJson } from '#server/core/database/json-rows.ts'
import { listOf, queryOne, type Sql, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { ROLE_COLUMNS, type RoleRow, toRoleView } from '#server/modules/accounts/roles/view.ts'
import {
  type GatheredNames,
  NAMED_COLUMNS,
  namedIn,
  namedTables,
} from '#server/modules/accounts/users/named-records.ts'
import { referencedIds, referencedUsers, type UserReferences } from '#server/modules/accounts/users/referenced-users.ts'
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

type Json = Record<string, unknown>[] | null

interface Gathered extends GatheredNames {
  communities: Json
  communityUsers: Json
  categories: Json
  feeds: Json
  roles: Json
}

/**
 * The envelope (docs/interface/communities.md#envelope): these communities in their order, the memberships of these users in them, and
 * everything that both, or the records returned beside them, refer to. The users are the caller alone, unless others are concerned. One
 * statement.
 */
export async function buildCommunitiesEnvelope(
  ctx: Ctx,
  communityIds: string[],
  userIds: string[] = callerOf(ctx),
  alsoAnswered: UserReferences[] = [],
): Promise<CommunitiesAnswer> {
  const people = [...userIds, ...referencedIds(alsoAnswered).userIds]
  const found = await queryOne<Gathered>(
    ctx,
    sql`
    with page as materialized (
      select k.*, asked.position from unnest(${listOf(communityIds)}) with ordinality as asked(community_id, position)
      cross join lateral (select * from community k where k.community_id = asked.community_id offset 0) k),
    member as materialized (${membersOf(userIds)}),
    named_category as materialized (
      select ${CATEGORY_COLUMNS} from category c
      where c.category_id = any(array(select unnest(category_ids) from page)) order by c.category_id),
    ${namedTables({
      userIds: sql`select unnest(${people}::text[]) union all select user_id from page`,
      fileIds: sql`select avatar_file_id from page union all select avatar_file_id from named_category`,
    })}
    select
      ${jsonOfRows(sql`select ${COMMUNITY_COLUMNS}, ${isJoined(ctx)} as is_joined from page k order by k.position`)} as communities,
      ${jsonOfRows(sql`select * from member order by position, user_position`)} as community_users,
      ${jsonOfRows(sql`select * from named_category`)} as categories, ${jsonOfRows(feedsFor(ctx))} as feeds, ${NAMED_COLUMNS},
      ${jsonOfRows(sql`
        select ${ROLE_COLUMNS} from role r
        where r.role_id = any(array(select unnest(roles) from member union all select unnest(roles) from people)) order by r.role_id`)} as roles`,
  )
  const MADE = ['createdAt', 'updatedAt'] as const
  const rows = rowsOfJson<CommunityRow>(found?.communities, [...MADE])
  const { users, files } = namedIn(ctx, found)
  return {
    communities: rows.map((row) => toCommunityView(ctx, row)),
    communityUsers: rowsOfJson<CommunityUserRow>(found?.communityUsers, [
      ...MADE,
      'lastActivity',
      'lastJoin',
      'muteTimeout',
    ]).map(toCommunityUserView),
    files,
    users: referencedUsers(users, [...userIds.map((userId) => ({ userId })), ...rows, ...alsoAnswered]),
    roles: rowsOfJson<RoleRow>(found?.roles, [...MADE]).map(toRoleView),
    categories: rowsOfJson<CategoryRow>(found?.categories, [...MADE]).map(toCategoryView),
    feeds: rowsOfJson<FeedRow>(found?.feeds, [...MADE]).map(toFeedView),
  }
}

function callerOf(ctx: Ctx): string[] {
  const userId = actingUserId(ctx)
  return userId === undefined ? [] : [userId]
}

/** Members in the order of these users, who are a page of members or the targets of an action. Uses community_user_pkey. */
function membersOf(userIds: string[]): Sql {
  return sql`
    select found.*, page.position, who.position as user_position
    from page cross join unnest(${listOf(userIds)}) with ordinality as who(user_id, position)
    cross join lateral (
      select ${COMMUNITY_USER_COLUMNS}
      from community_user cu join community k on k.community_id = cu.community_id join network_user u on u.user_id = cu.user_id
      where cu.community_id = page.community_id and cu.user_id = who.user_id offset 0) found`
}

/** The counts of pending and declined posts are for reviewers. Uses feed_target_id_idx. */
function feedsFor(ctx: Ctx): Sql {
  return sql`
    select ${FEED_COLUMNS} from feed f
    where f.target_id = any(array(select community_id from page)) and f.target_type = 'community'
      and (f.feed_type = 'published' or ${mayInCommunity(ctx, 'reviewPosts', sql`f.target_id`)})
    order by f.feed_id`
}
