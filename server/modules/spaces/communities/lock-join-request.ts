import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { JoinRequest } from '#server/modules/spaces/communities/schema.ts'

export interface JoinRequestFound {
  joinRequestId: string
  status: JoinRequest['status']
  responderId: string | null
  respondedAt: Date | null
}

/**
 * A user's latest request there, locked. Every change of requests locks the user's row in the community first, so that approving,
 * cancelling and banning run one after the other. Uses join_request_user_id_community_id_created_at_idx.
 */
export function lockJoinRequest(
  ctx: Ctx,
  { communityId, userId }: { communityId: string; userId: string },
): Promise<JoinRequestFound | undefined> {
  return queryOne<JoinRequestFound>(
    ctx,
    sql`
    select join_request_id, status, responder_id, responded_at
    from join_request where user_id = ${userId} and community_id = ${communityId}
    order by status = 'pending' desc, created_at desc, join_request_id limit 1 for update`,
  )
}

/** Says how a request that is no longer pending was decided, by whom and when. */
export function alreadyDecided({ status, responderId, respondedAt }: JoinRequestFound): DomainError {
  return new DomainError('CHANGED', {
    decision: status,
    ...(responderId !== null && { decidedBy: responderId }),
    ...(respondedAt !== null && { decidedAt: respondedAt.toISOString() }),
  })
}
