import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'
import { alreadyDecided, lockJoinRequest } from '#server/modules/spaces/communities/lock-join-request.ts'
import { publishJoinRequest } from '#server/modules/spaces/communities/publish-join-request.ts'
import type { DecideJoinRequest } from '#server/modules/spaces/communities/schema.ts'
import { lockPeople } from '#server/modules/spaces/membership/lock-people.ts'
import { changeMembership } from '#server/modules/spaces/membership/set-membership.ts'

interface Decision extends DecideJoinRequest {
  communityId: string
  outcome: 'approved' | 'rejected'
}

/**
 * Approves or declines a join request: for those who may add members there. Fails with NOT_FOUND for a user without a request, CHANGED
 * where the request is no longer pending, FORBIDDEN for the caller's own.
 */
export function decideJoinRequest(ctx: Ctx, { communityId, outcome, ...asked }: Decision): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockCommunity(ctx, communityId, { mayAct: mayInCommunity(ctx, 'addMembers', sql`k.community_id`) })
    const userId = await findRequestor(ctx, asked.userId)
    const people = await lockPeople(ctx, communitySpace, { spaceId: communityId, userIds: [userId] })
    const request = await lockJoinRequest(ctx, { communityId, userId })
    if (request === undefined) throw new DomainError('NOT_FOUND')
    if (userId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
    if (request.status !== 'pending') throw alreadyDecided(request)

    const subject = { communityId, userId, joinRequestId: request.joinRequestId }
    if (outcome === 'rejected') {
      await execute(
        ctx,
        sql`
        update join_request
        set status = 'rejected', responded_at = ${ctx.now()}, responder_id = ${actingUserId(ctx) ?? null}, updated_at = ${ctx.now()}
        where join_request_id = ${request.joinRequestId}`,
      )
      await publishJoinRequest(ctx, { ...subject, verb: 'joinRejected', event: 'didReject' })
      return
    }
    await changeMembership(ctx, communitySpace, { spaceId: communityId, act: 'joined', userIds: [userId], people })
    await publishJoinRequest(ctx, { ...subject, verb: 'joinApproved', event: 'didAccept' })
  })
}

/** Clients name the requester by internal id, people by public id. */
async function findRequestor(ctx: Ctx, id: string): Promise<string> {
  const user = await queryOne<{ userId: string }>(
    ctx,
    sql`
    select user_id from network_user where user_id = ${id} or internal_id = ${id} order by user_id <> ${id} limit 1`,
  )
  if (user === undefined) throw new DomainError('NOT_FOUND')
  return user.userId
}
