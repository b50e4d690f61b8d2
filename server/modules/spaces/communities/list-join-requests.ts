import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { buildJoinRequestsEnvelope } from '#server/modules/spaces/communities/join-request-view.ts'
import type { JoinRequests, JoinRequestsPage, JoinRequestsQuery } from '#server/modules/spaces/communities/schema.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

const REQUESTS_A_PAGE = 10
const NEWEST_FIRST: ListOrder = {
  first: { column: sql`r.created_at`, isDescending: true, type: 'timestamptz' },
  tie: { column: sql`r.join_request_id`, isDescending: false },
}

/**
 * The join requests, newest first: all for those who may add members there, for other users their own. Fails with NOT_FOUND for a community
 * the caller may not see, FORBIDDEN in admin context without the permission. Uses join_request_newest.
 */
export async function listJoinRequests(
  ctx: Ctx,
  { communityId, status, options }: JoinRequestsQuery & { communityId: string },
): Promise<JoinRequestsPage> {
  const readable = await findReadable(ctx, communityId)
  const page = readPageRequest(options, REQUESTS_A_PAGE)
  const { where, orderBy, limit } = pageClauses(NEWEST_FIRST, page)
  const found = await query<{ joinRequestId: string; createdAt: Date }>(
    ctx,
    sql`
    select r.join_request_id, r.created_at from join_request r
    where r.community_id = ${communityId} and r.status = ${status}::join_request_status and ${readable} and ${where}
    order by ${orderBy} ${limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [timestampOf(row.createdAt), row.joinRequestId])
  const answer = await buildJoinRequestsEnvelope(
    ctx,
    communityId,
    rows.map(({ joinRequestId }) => joinRequestId),
  )
  return { ...answer, paging }
}

/** The number of pending requests that `listJoinRequests` shows; exact. Fails as `listJoinRequests` does. Uses join_request_pending. */
export async function countJoinRequests(ctx: Ctx, { communityId }: { communityId: string }): Promise<number> {
  const readable = await findReadable(ctx, communityId)
  const found = await queryOne<{ pending: number }>(
    ctx,
    sql`
    select count(*)::int as pending from join_request r
    where r.community_id = ${communityId} and r.status = 'pending' and ${readable}`,
  )
  return found?.pending ?? 0
}

/** The caller's latest request there, whatever its state. Fails with NOT_FOUND for a community they may not see. */
export async function readOwnJoinRequest(ctx: Ctx, { communityId }: { communityId: string }): Promise<JoinRequests> {
  await findCommunity(ctx, communityId)
  const latest = await query<{ joinRequestId: string }>(
    ctx,
    sql`
    select join_request_id from join_request where community_id = ${communityId} and user_id = ${actingUserId(ctx) ?? ''}
    order by created_at desc, join_request_id limit 1`,
  )
  return buildJoinRequestsEnvelope(
    ctx,
    communityId,
    latest.map(({ joinRequestId }) => joinRequestId),
  )
}

/** Which requests the caller may read, as a condition on `join_request r`. */
async function findReadable(ctx: Ctx, communityId: string): Promise<Sql> {
  const { mayAdd } = await findCommunity(ctx, communityId)
  if (mayAdd) return sql`true`
  if (ctx.actor.kind !== 'user') throw new DomainError('FORBIDDEN')
  return sql`r.user_id = ${ctx.actor.userId}`
}

async function findCommunity(ctx: Ctx, communityId: string): Promise<{ mayAdd: boolean }> {
  const community = await queryOne<{ mayAdd: boolean }>(
    ctx,
    sql`
    select ${mayInCommunity(ctx, 'addMembers', sql`k.community_id`)} as may_add
    from community k where k.community_id = ${communityId} and ${isVisible(ctx)}`,
  )
  if (community === undefined) throw new DomainError('NOT_FOUND')
  return community
}
