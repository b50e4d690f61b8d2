import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import type { Outcome, Subject } from '#server/modules/review/decisions/schema.ts'

export interface OwnDecision extends Subject {
  decisionId: string
  communityId: string | null
  outcome: Outcome
  reasonId: string | null
  isReversal: boolean
  version: number
  decidedBy: string | null
  decidedAt: Date
  eventId: string
}

/**
 * Reads one of the caller's own decisions, within the scope of the community that the stored decision names; one on what was not held, or on a
 * message, is visible to the caller who made it. Fails with NOT_FOUND for one the caller may not see, FORBIDDEN for a
 * colleague's.
 */
export async function readOwnDecision(ctx: Ctx, decisionId: string): Promise<OwnDecision> {
  const community = sql`d.community_id`
  const decision = await queryOne<OwnDecision>(
    ctx,
    sql`
    select d.decision_id::text as decision_id, d.subject_type, d.subject_id,
      d.community_id, d.outcome, d.reason_id, d.is_reversal, d.version,
      d.decided_by, d.decided_at, d.event_id::text as event_id
    from decision d
    where d.decision_id = ${decisionId}::bigint and case
      when d.kind <> 'held' or d.subject_type = 'message' then d.decided_by = ${actingUserId(ctx) ?? null}
      when d.subject_type = 'comment' then ${mayInCommunity(ctx, 'reviewComments', community)}
      else ${mayInCommunity(ctx, 'reviewPosts', community)} end`,
  )
  if (decision === undefined) throw new DomainError('NOT_FOUND')
  if (decision.decidedBy === null || decision.decidedBy !== actingUserId(ctx)) throw new DomainError('FORBIDDEN')
  return decision
}
