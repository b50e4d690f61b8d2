import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { requireUser } from '#server/core/require-user.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { buildJoinRequestsEnvelope } from '#server/modules/spaces/communities/join-request-view.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'
import {
  alreadyDecided,
  type JoinRequestFound,
  lockJoinRequest,
} from '#server/modules/spaces/communities/lock-join-request.ts'
import { publishJoinRequest } from '#server/modules/spaces/communities/publish-join-request.ts'
import type { JoinRequests } from '#server/modules/spaces/communities/schema.ts'
import { lockMembers, lockPeople } from '#server/modules/spaces/membership/lock-people.ts'
import { changeMembership } from '#server/modules/spaces/membership/set-membership.ts'

/**
 * Requests to join a community; one without approval makes the caller a member immediately. Requesting again, or as a member, changes
 * nothing. Fails with NOT_FOUND for one the caller may not see, BANNED, and FORBIDDEN for one that people join only by being added and for
 * an admin token.
 */
export function requestToJoin(ctx: Ctx, { communityId }: { communityId: string }): Promise<JoinRequests> {
  return inTransaction(ctx, async (ctx) => {
    const userId = requireUser(ctx)
    const community = await lockCommunity(ctx, communityId, { mayAct: sql`true` })
    if (!community.isPublic && !community.requiresJoinApproval) throw new DomainError('FORBIDDEN')
    const people = await lockPeople(ctx, communitySpace, { spaceId: communityId, userIds: [userId] })
    const membership = people[0]?.membership
    if (membership === 'banned') throw new DomainError('BANNED')

    const latest = await lockJoinRequest(ctx, { communityId, userId })
    if (membership === 'member' || latest?.status === 'pending') return answer(ctx, communityId, latest)

    const joinRequestId = await insert(ctx, { communityId, userId })
    if (community.requiresJoinApproval) {
      return publishJoinRequest(ctx, { communityId, userId, joinRequestId, verb: 'joinRequested', event: 'didCreate' })
    }
    await changeMembership(ctx, communitySpace, { spaceId: communityId, act: 'joined', userIds: [userId], people })
    return buildJoinRequestsEnvelope(ctx, communityId, [joinRequestId])
  })
}

/** Cancels the caller's own request. Fails with NOT_FOUND where there is none, CHANGED where it was decided. */
export function cancelJoinRequest(ctx: Ctx, { communityId }: { communityId: string }): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const userId = requireUser(ctx)
    await lockCommunity(ctx, communityId, { mayAct: sql`true` })
    await lockMembers(ctx, communitySpace, { spaceId: communityId, userIds: [userId] })
    const request = await lockJoinRequest(ctx, { communityId, userId })
    if (request === undefined) throw new DomainError('NOT_FOUND')
    if (request.status !== 'pending') throw alreadyDecided(request)

    const { joinRequestId } = request
    await execute(
      ctx,
      sql`update join_request set status = 'cancelled', updated_at = ${ctx.now()} where join_request_id = ${joinRequestId}`,
    )
    await publishJoinRequest(ctx, { communityId, userId, joinRequestId, verb: 'joinCancelled' })
  })
}

function answer(ctx: Ctx, communityId: string, request: JoinRequestFound | undefined): Promise<JoinRequests> {
  return buildJoinRequestsEnvelope(ctx, communityId, request === undefined ? [] : [request.joinRequestId])
}

async function insert(ctx: Ctx, { communityId, userId }: { communityId: string; userId: string }): Promise<string> {
  const request = await queryOne<{ joinRequestId: string }>(
    ctx,
    sql`
    insert into join_request (community_id, user_id, created_at, updated_at) values (${communityId}, ${userId}, ${ctx.now()}, ${ctx.now()})
    returning join_request_id`,
  )
  if (request === undefined) throw new Error('an insert returned no row')
  return request.joinRequestId
}
