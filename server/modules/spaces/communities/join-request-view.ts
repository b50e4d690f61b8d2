import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import type { JoinRequest, JoinRequests } from '#server/modules/spaces/communities/schema.ts'

/** These requests of one community, in their order, with the requesters and their memberships. Uses join_request_pkey. */
export async function buildJoinRequestsEnvelope(
  ctx: Ctx,
  communityId: string,
  joinRequestIds: string[],
): Promise<JoinRequests> {
  const rows = await query<JoinRequestRow>(
    ctx,
    sql`
    select r.join_request_id, r.community_id, r.user_id, u.internal_id as user_internal_id,
      r.status, r.responded_at, r.responder_id, responder.internal_id as responder_internal_id,
      r.created_at, r.updated_at
    from join_request r join network_user u on u.user_id = r.user_id left join network_user responder on responder.user_id = r.responder_id
    where r.join_request_id = any(${joinRequestIds}) order by array_position(${joinRequestIds}, r.join_request_id)`,
  )
  const userIds = [...new Set(rows.map(({ userId }) => userId))]
  return {
    joinRequests: rows.map((row) => toView(ctx, row)),
    ...(await buildCommunitiesEnvelope(ctx, [communityId], userIds, rows)),
  }
}

interface JoinRequestRow {
  joinRequestId: string
  communityId: string
  userId: string
  userInternalId: string
  status: JoinRequest['status']
  respondedAt: Date | null
  /** Absent for an admin token. */
  responderId: string | null
  responderInternalId: string | null
  createdAt: Date
  updatedAt: Date
}

function toView({ networkId }: Ctx, row: JoinRequestRow): JoinRequest {
  return {
    joinRequestId: row.joinRequestId,
    _id: row.joinRequestId,
    networkId,
    type: 'communityJoinRequest',
    targetType: 'community',
    targetId: row.communityId,
    userId: row.userId,
    requestorId: row.userId,
    requestorPublicId: row.userId,
    requestorInternalId: row.userInternalId,
    status: row.status,
    ...(row.respondedAt && { respondedAt: timestampOf(row.respondedAt) }),
    ...(row.responderId !== null && { responderId: row.responderId, responderPublicId: row.responderId }),
    ...(row.responderInternalId !== null && { responderInternalId: row.responderInternalId }),
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  }
}
