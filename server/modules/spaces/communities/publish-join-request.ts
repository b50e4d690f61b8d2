import type { Ctx } from '#server/core/ctx.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { buildJoinRequestsEnvelope } from '#server/modules/spaces/communities/join-request-view.ts'
import type { JoinRequests } from '#server/modules/spaces/communities/schema.ts'

interface Change {
  communityId: string
  userId: string
  joinRequestId: string
  verb: 'joinRequested' | 'joinCancelled' | 'joinApproved' | 'joinRejected'
  /** The published event; a cancelled request has none (docs/interface/webhooks.md#comments-and-communities). */
  event?: 'didCreate' | 'didAccept' | 'didReject'
}

/** Logs and publishes the outcome of a request, and returns it. */
export async function publishJoinRequest(
  ctx: Ctx,
  { communityId, userId, joinRequestId, verb, event }: Change,
): Promise<JoinRequests> {
  await recordAudit(ctx, {
    action: `community.${verb}`,
    subjectType: 'user',
    subjectId: userId,
    communityId,
    after: { joinRequestId },
  })
  const answer = await buildJoinRequestsEnvelope(ctx, communityId, [joinRequestId])
  await recordEvent(ctx, {
    name: event === undefined ? `desk.communityJoinRequest.${verb}` : `v3.communityJoinRequest.${event}`,
    isDeskOnly: event === undefined,
    subjectType: 'community',
    subjectId: communityId,
    communityId,
    payload: { ...answer },
  })
  return answer
}
