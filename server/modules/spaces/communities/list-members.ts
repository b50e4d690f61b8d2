import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { pageClauses, readPageRequest, toPage } from '#server/core/keyset.ts'
import { named, peopleOrder, positionOf, SORT_NAME } from '#server/modules/accounts/users/list-users.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import type { CommunitiesPage, MembersQuery } from '#server/modules/spaces/communities/schema.ts'
import { isOpen, isVisible } from '#server/modules/spaces/communities/visible.ts'
import { countMatching, memberConditions } from '#server/modules/spaces/membership/list-members.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

const MEMBERS_A_PAGE = 10

/** The members of a community to list. */
interface MembersAsked extends Omit<MembersQuery, 'options' | 'sortBy'> {
  communityId: string
}

/**
 * The members of one community, a page at a time. Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN for one whose
 * members they may not see. Uses community_user_newest, community_user_roles or network_user_by_name.
 */
export async function listMembers(
  ctx: Ctx,
  { communityId, options, ...asked }: MembersQuery & { communityId: string },
): Promise<CommunitiesPage> {
  await authorize(ctx, communityId)
  const page = readPageRequest(options, MEMBERS_A_PAGE)
  const clauses = pageClauses(peopleOrder(asked.sortBy, sql`cu.created_at`), page)
  const found = await query<{ userId: string; createdAt: Date; sortName: string }>(
    ctx,
    sql`
    select u.user_id, cu.created_at, ${SORT_NAME} as sort_name
    from community_user cu join network_user u on u.user_id = cu.user_id
    where ${sql.join([clauses.where, ...conditions({ communityId, ...asked })], ' and ')}
    order by ${clauses.orderBy} ${clauses.limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => positionOf(asked.sortBy, row))
  const answer = await buildCommunitiesEnvelope(
    ctx,
    [communityId],
    rows.map(({ userId }) => userId),
  )
  return { ...answer, paging }
}

/** The number of matching members, up to a maximum. Fails as `listMembers` does. */
export async function countMembers(ctx: Ctx, { communityId, ...asked }: MembersAsked, upTo: number): Promise<number> {
  await authorize(ctx, communityId)
  return countMatching(ctx, SPACE_KINDS.community, conditions({ communityId, ...asked }), upTo)
}

async function authorize(ctx: Ctx, communityId: string): Promise<void> {
  const community = await queryOne<{ isOpen: boolean }>(
    ctx,
    sql`select ${isOpen(ctx)} as is_open from community k where k.community_id = ${communityId} and ${isVisible(ctx)}`,
  )
  if (community === undefined) throw new DomainError('NOT_FOUND')
  if (!community.isOpen) throw new DomainError('FORBIDDEN')
}

function conditions({ communityId, memberships, search, searchBy, ...filter }: MembersAsked): Sql[] {
  return [
    ...memberConditions(SPACE_KINDS.community, { spaceId: communityId, ...filter }),
    sql`cu.membership = any(${memberships}::membership[])`,
    ...(search ? [named(search, searchBy, false)] : []),
  ]
}
