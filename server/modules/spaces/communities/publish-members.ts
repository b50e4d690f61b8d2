import type { Ctx } from '#server/core/ctx.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audits.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import type { CommunitiesAnswer } from '#server/modules/spaces/communities/schema.ts'

interface MembersChanged {
  communityId: string
  /** The audit action for each user, as `community.verb`. */
  action: string
  /** The published event: the envelope with the users concerned (docs/interface/webhooks.md#comments-and-communities). */
  event: EventName
  changed: { userId: string; before: Record<string, unknown>; after: Record<string, unknown> }[]
}

/** Logs and publishes a change of members, and returns it. */
export async function publishMembers(ctx: Ctx, { communityId, action, event, changed }: MembersChanged) {
  const subject = { subjectType: 'user', communityId, action }
  await recordAudits(
    ctx,
    changed.map(({ userId, before, after }) => ({ ...subject, subjectId: userId, before, after })),
  )
  const answer: CommunitiesAnswer = await buildCommunitiesEnvelope(
    ctx,
    [communityId],
    changed.map(({ userId }) => userId),
  )
  await recordEvent(ctx, {
    name: event,
    subjectType: 'community',
    subjectId: communityId,
    communityId,
    payload: { ...answer },
  })
  return answer
}
