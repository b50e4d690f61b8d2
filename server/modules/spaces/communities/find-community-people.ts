import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { rowsOfJson } from '#server/core/database/json-rows.ts'
import { listOf, queryOne, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { ROLE_COLUMNS, type RoleRow, toRoleView } from '#server/modules/accounts/roles/view.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import { FILE_COLUMNS, type FileRow, toFileView } from '#server/modules/media/files/view.ts'
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
import { isJoined, isVisible } from '#server/modules/spaces/communities/visible.ts'
import { type PeopleRow, peopleColumns, toPeople } from '#server/modules/spaces/membership/find-people.ts'
import { TRANSITIONS } from '#server/modules/spaces/membership/set-membership.ts'
import type { FoundPeople, PlannedChange, WantedPeople } from '#server/modules/spaces/membership/space-kind.ts'
import { NOT_MEMBER_REASON, SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

type JsonRows = Record<string, unknown>[] | null

interface FoundRow extends CommunityRow, PeopleRow {
  mayAct: boolean
  members: JsonRows
  users: JsonRows
  categories: JsonRows
  feeds: JsonRows
  roleRows: JsonRows
  files: JsonRows
}

const MADE = ['createdAt', 'updatedAt'] as const

/** A community with people, and all that an action on them publishes and answers. */
export async function findCommunityPeople(
  ctx: Ctx,
  wanted: WantedPeople,
): Promise<FoundPeople<CommunitiesAnswer> | undefined> {
  const { spaceId, userIds, action } = wanted
  const found = await queryOne<FoundRow>(
    ctx,
    sql`
    with space as materialized (
      select ${COMMUNITY_COLUMNS}, ${isJoined(ctx)} as is_joined, ${mayInCommunity(ctx, action, sql`k.community_id`)} as may_act
      from community k
      where k.community_id = ${spaceId} and not k.is_deleted and ${isVisible(ctx)}),
    member as materialized (
      select ${COMMUNITY_USER_COLUMNS}
      from community_user cu join community k on k.community_id = cu.community_id join network_user u on u.user_id = cu.user_id
      where cu.community_id = ${spaceId} and cu.user_id = any(${listOf(userIds)})),
    referred as materialized (
      select ${USER_COLUMNS} from network_user u
      where u.user_id = any(array(select unnest(${userIds}::text[]) union all select user_id from space where user_id is not null))),
    category_named as materialized (
      select ${CATEGORY_COLUMNS} from category c where c.category_id = any(array(select unnest(category_ids) from space))),
    role_held as materialized (
      select ${ROLE_COLUMNS} from role r where r.role_id = any(array(
        select unnest(roles) from member union all select unnest(roles) from referred)))
    select space.*, ${peopleColumns(ctx, SPACE_KINDS.community, wanted)},
      (select json_agg(member order by member.user_id) from member) as members,
      (select json_agg(referred order by referred.user_id <> all(${listOf(userIds)}), referred.user_id) from referred) as users,
      (select json_agg(category_named order by category_id) from category_named) as categories,
      (select json_agg(role_held order by role_id) from role_held) as role_rows,
      (select json_agg(feed order by feed.feed_id) from (
        select ${FEED_COLUMNS} from feed f
        where f.target_id = space.community_id and f.target_type = 'community'
          and (f.feed_type = 'published' or ${mayInCommunity(ctx, 'reviewPosts', sql`f.target_id`)})) feed) as feeds,
      (select json_agg(named order by named.file_id) from (
        select ${FILE_COLUMNS} from file f where f.file_id = any(array(
          select avatar_file_id from space union all select avatar_file_id from referred
          union all select avatar_file_id from category_named))) named) as files
    from space`,
  )
  if (found === undefined) return undefined
  return { mayAct: found.mayAct, ...toPeople(found), publish: (change) => publish(ctx, found, wanted, change) }
}

/** The envelope with the people for whom something changes; with all of them if it is nobody. */
function publish(ctx: Ctx, found: FoundRow, { userIds }: WantedPeople, { act, at, changed, counts }: PlannedChange) {
  const shown = changed.length === 0 ? userIds : changed
  const after = {
    membership: TRANSITIONS[act].to,
    notMemberReason: NOT_MEMBER_REASON[act] ?? null,
    roles: [],
    permissions: [],
    updatedAt: at,
  }
  const communityUsers = rowsOfJson<CommunityUserRow>(found.members, [
    ...MADE,
    'lastActivity',
    'lastJoin',
    'muteTimeout',
  ])
    .filter(({ userId }) => shown.includes(userId))
    .map((row) => toCommunityUserView(changed.includes(row.userId) ? { ...row, ...after } : row))
  const users = rowsOfJson<UserRow>(found.users, [...MADE])
    .filter(({ userId }) => shown.includes(userId) || userId === found.userId)
    .map((row) => toUserView(ctx, row))
  const categories = rowsOfJson<CategoryRow>(found.categories, [...MADE]).map(toCategoryView)
  const community = toCommunityView(ctx, {
    ...found,
    isJoined: found.isJoined && !changed.includes(actingUserId(ctx) ?? ''),
    membersCount: found.membersCount + counts.members,
    moderatorMemberCount: found.moderatorMemberCount + counts.moderators,
  })
  const held = new Set([...communityUsers, ...users].flatMap(({ roles }) => roles))
  const pictures = new Set(avatarsOf([community, ...users, ...categories]))
  const answer: CommunitiesAnswer = {
    communities: [community],
    communityUsers,
    files: rowsOfJson<FileRow>(found.files, [...MADE])
      .map(toFileView)
      .filter(({ fileId }) => pictures.has(fileId)),
    users,
    roles: rowsOfJson<RoleRow>(found.roleRows, [...MADE])
      .map(toRoleView)
      .filter(({ roleId }) => held.has(roleId)),
    categories,
    feeds: rowsOfJson<FeedRow>(found.feeds, [...MADE]).map(toFeedView),
  }
  return { payload: { ...answer }, answer }
}
