import type { Ctx } from '#server/core/ctx.ts'
import { type Paging, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { named, peopleOrder, positionOf, SORT_NAME } from '#server/modules/accounts/users/list-users.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import type { CommunitiesPage, MembersQuery } from '#server/modules/spaces/communities/schema.ts'
import { COMMUNITY_USER_COLUMNS, type CommunityUserRow } from '#server/modules/spaces/communities/view.ts'
import { isOpen, isVisible } from '#server/modules/spaces/communities/visible.ts'
import { countMatching, memberConditions } from '#server/modules/spaces/membership/list-members.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

const MEMBERS_A_PAGE = 10

/** The members of a community to list. */
interface MembersAsked extends Omit<MembersQuery, 'options' | 'sortBy' | 'memberships'> {
  communityId: string
  memberships: (MembersQuery['memberships'][number] | 'muted')[]
}

type Asked = MembersAsked & Pick<MembersQuery, 'options' | 'sortBy'>

/**
 * The members of one community, a page at a time. Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN for one whose
 * members they may not see.
 */
export async function listMembers(ctx: Ctx, asked: Asked): Promise<CommunitiesPage> {
  const { rows, paging } = await listMembersPage(ctx, asked)
  const answer = await buildCommunitiesEnvelope(
    ctx,
    [asked.communityId],
    rows.map(({ userId }) => userId),
  )
  return { ...answer, paging }
}

type ListedMember = CommunityUserRow & { sortName: string }

/** The rows of the page alone. Fails as `listMembers` does. Uses community_user_newest, community_user_roles or network_user_by_name. */
export async function listMembersPage(
  ctx: Ctx,
  { communityId, options, ...asked }: Asked,
): Promise<{ rows: ListedMember[]; paging: Paging }> {
  const page = readPageRequest(options, MEMBERS_A_PAGE)
  const clauses = pageClauses(peopleOrder(asked.sortBy, sql`cu.created_at`), page)
  const [first, ...others] = await query<Standing & (ListedMember | { userId: null })>(
    ctx,
    sql`
    with space as materialized (${readStanding(ctx, communityId)})
    select space.is_open, member.* from space left join lateral (
      select ${COMMUNITY_USER_COLUMNS}, ${SORT_NAME} as sort_name, row_number() over (order by ${clauses.orderBy}) as position
      from community_user cu join network_user u on u.user_id = cu.user_id
        cross join (select community_id, channel_id from community where community_id = ${communityId}) k
      where space.is_open and ${sql.join([clauses.where, ...conditions(ctx, { communityId, ...asked })], ' and ')}
      order by ${clauses.orderBy} ${clauses.limit}) member on true
    order by member.position`,
  )
  assertStanding(first)
  const found = [first, ...others].flatMap((row) => (row === undefined || row.userId === null ? [] : [row]))
  return toPage(found, page, (row) => positionOf(asked.sortBy, row))
}

/** The number of matching members, up to a maximum. Fails as `listMembers` does. */
export async function countMembers(ctx: Ctx, { communityId, ...asked }: MembersAsked, upTo: number): Promise<number> {
  assertStanding(await queryOne<Standing>(ctx, readStanding(ctx, communityId)))
  return countMatching(ctx, SPACE_KINDS.community, conditions(ctx, { communityId, ...asked }), upTo)
}

interface Standing {
  isOpen: boolean
}

/** Whether the caller may see the members of a community that they may know of. */
function readStanding(ctx: Ctx, communityId: string): Sql {
  return sql`
    select ${isOpen(ctx)} as is_open from community k where k.community_id = ${communityId} and ${isVisible(ctx)}`
}

function assertStanding(community: Standing | undefined): void {
  if (community?.isOpen) return
  throw new DomainError(community ? 'FORBIDDEN' : 'NOT_FOUND')
}

function conditions(ctx: Ctx, { communityId, memberships, search, searchBy, ...filter }: MembersAsked): Sql[] {
  return [
    ...memberConditions(SPACE_KINDS.community, { spaceId: communityId, ...filter }),
    memberships.includes('muted')
      ? sql`cu.membership = 'member' and cu.mute_timeout > ${ctx.now()}`
      : sql`cu.membership = any(${memberships}::membership[])`,
    ...(search ? [named(search, searchBy, false)] : []),
  ]
}
