import type { Ctx } from '#server/core/ctx.ts'
import { type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { containsFolded } from '#server/core/database/like.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import type { CommunitiesPage, CommunitiesQuery } from '#server/modules/spaces/communities/schema.ts'
import { isJoined, isOpen, isVisible } from '#server/modules/spaces/communities/visible.ts'

const COMMUNITIES_A_PAGE = 10
const SORT_NAME = sql`lower(left(coalesce(k.display_name, k.community_id), 80))`

/** Besides the request's own filters: only communities `k` that meet this condition, and a keyword that may be an id or its beginning. */
interface Narrowed {
  within?: Sql
  searchesIds?: boolean
}

/** The communities the caller may see, a page at a time. Uses community_newest, community_by_name or community_named. */
export async function listCommunities(
  ctx: Ctx,
  { options, ...asked }: CommunitiesQuery & Narrowed,
): Promise<CommunitiesPage> {
  const page = readPageRequest(options, COMMUNITIES_A_PAGE)
  const clauses = pageClauses(orderOf(asked.sortBy), page)
  const found = await query<{ communityId: string; internalId: string; createdAt: Date; sortName: string }>(
    ctx,
    sql`
    select k.community_id, k.internal_id, k.created_at, ${SORT_NAME} as sort_name from community k
    where ${sql.join([clauses.where, ...conditions(ctx, asked)], ' and ')}
    order by ${clauses.orderBy} ${clauses.limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [
    asked.sortBy === 'displayName' ? row.sortName : timestampOf(row.createdAt),
    row.internalId,
  ])
  const answer = await buildCommunitiesEnvelope(
    ctx,
    rows.map(({ communityId }) => communityId),
  )
  return { ...answer, paging }
}

function orderOf(order: CommunitiesQuery['sortBy']): ListOrder {
  const tie = { column: sql`k.internal_id`, isDescending: order === 'firstCreated' }
  return order === 'displayName'
    ? { first: { column: SORT_NAME, isDescending: false, type: 'text' }, tie }
    : { first: { column: sql`k.created_at`, isDescending: order === 'lastCreated', type: 'timestamptz' }, tie }
}

function conditions(ctx: Ctx, asked: Omit<CommunitiesQuery, 'options'> & Narrowed): Sql[] {
  const isFlagged = sql`(k.has_flagged_comment or k.has_flagged_post)`
  return [
    asked.includeDiscoverablePrivateCommunity ? isVisible(ctx) : isOpen(ctx),
    ...(asked.within ? [asked.within] : []),
    ...(asked.keyword
      ? [sql`(${named(asked.keyword)} ${asked.searchesIds ? isOfId(asked.keyword) : sql.empty}) ${NO_PREPARE}`]
      : []),
    ...(asked.tags.length > 0 ? [sql`k.tags && ${asked.tags}::text[]`] : []),
    ...(asked.categoryId === undefined ? [] : [sql`${asked.categoryId} = any(k.category_ids)`]),
    ...(asked.isDeleted === undefined ? [] : [sql`k.is_deleted = ${asked.isDeleted}`]),
    ...(asked.hasFlag === undefined ? [] : [sql`${isFlagged} = ${asked.hasFlag}`]),
    ...(asked.filter === 'flagged' ? [isFlagged] : []),
    ...(asked.filter === 'member' ? [sql`${isJoined(ctx)} ${NO_PREPARE}`] : []),
    ...(asked.filter === 'notMember' ? [sql`not ${isJoined(ctx)}`] : []),
  ]
}

const named = (keyword: string) => containsFolded(sql`k.display_name`, keyword)
/** Uses community_pkey. */
const isOfId = (keyword: string) =>
  sql`or k.community_id >= ${keyword} and k.community_id < ${keyword} || chr(1114111) and starts_with(k.community_id, ${keyword})`
