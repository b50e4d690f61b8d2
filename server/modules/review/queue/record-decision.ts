import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { ReviewItem } from '#server/modules/review/queue/handlers/handler.ts'
import type { ChangedFacts, Decided, Outcome, Subject, SubjectType } from '#server/modules/review/queue/schema.ts'

interface NewDecision extends Subject {
  communityId: string | null
  authorId: string
  outcome: Outcome
  reason: string | undefined
  reasonId: string | undefined
  clientKey: string | undefined
  bulkId: string | undefined
  isReversal: boolean
  /** The subject's version after the decision. */
  version: number
  textDigest: Uint8Array | null
  eventId: string
}

/**
 * Records who decided what, in the transaction of the change, and returns the decision's id. Closes an open escalation, unless
 * only a report was dismissed. Undo reopens an escalation whose closing time equals the decision's time. Fails with CHANGED if
 * the caller's key was used for something else at the same moment.
 */
export async function recordDecision(ctx: Ctx, decision: NewDecision): Promise<string> {
  const at = ctx.now()
  const recorded = await queryOne<{ decisionId: string }>(
    ctx,
    sql`
    with closed as (
      update escalation set closed_at = ${at}, closed_by = ${actingUserId(ctx) ?? actorName(ctx)}
      where subject_type = ${decision.subjectType}::subject_type and subject_id = ${decision.subjectId} and closed_at is null
        and ${decision.outcome !== 'dismissed'})
    insert into decision (subject_type, subject_id, community_id, author_id, outcome, reason, reason_id, client_key, bulk_id, is_reversal,
      decided_by, decided_by_name, decided_at, source, version, text_digest, event_id, held_at)
    values (${decision.subjectType}::subject_type, ${decision.subjectId}, ${decision.communityId}, ${decision.authorId},
      ${decision.outcome}::decision_outcome, ${decision.reason ?? null}, ${decision.reasonId ?? null}, ${decision.clientKey ?? null},
      ${decision.bulkId ?? null}, ${decision.isReversal}, ${actingUserId(ctx) ?? null}, ${actorName(ctx)}, ${at}, ${ctx.source}::source, ${decision.version},
      ${decision.textDigest}, ${decision.eventId}::bigint, ${heldAt(decision)})
    on conflict (decided_by, client_key) where client_key is not null do nothing
    returning decision_id::text as "decisionId"`,
  )
  if (recorded === undefined) throw new DomainError('CHANGED')
  return recorded.decisionId
}

/** When the decided item was held; null for a report or a reversed approval. */
function heldAt({ subjectType, subjectId, outcome, isReversal }: NewDecision): Sql {
  if (isReversal || outcome === 'dismissed' || outcome === 'deleted') return sql`null`
  return subjectType === 'comment'
    ? sql`(select queued_at from comment where comment_id = ${subjectId})`
    : sql`(select queued_at from post where post_id = ${subjectId})`
}

/** The caller's earlier decision under this key, if any; a key that was used for something else is CHANGED. */
export async function findSameDecision(
  ctx: Ctx,
  { subjectType, subjectId, clientKey, outcome }: Subject & { clientKey?: string | undefined; outcome: Outcome },
): Promise<Decided | undefined> {
  if (clientKey === undefined) return undefined
  const found = await queryOne<Omit<Decided, 'undoUntil'> & { releasesAt: Date }>(
    ctx,
    sql`
    select d.decision_id::text as "decisionId", d.subject_type as "subjectType", d.subject_id as "subjectId", d.outcome, d.version,
      e.releases_at as "releasesAt"
    from decision d join event e on e.event_id = d.event_id
    where d.decided_by = ${actingUserId(ctx) ?? null} and d.client_key = ${clientKey}`,
  )
  if (found === undefined) return undefined
  const { releasesAt, ...decided } = found
  if (found.subjectType !== subjectType || found.subjectId !== subjectId || found.outcome !== outcome)
    throw new DomainError('CHANGED')
  return { ...decided, undoUntil: releasesAt.toISOString() }
}

/**
 * Fails with CHANGED, telling a reviewer who decided what and when; an item that is still pending, edited or flagged again, has
 * a version only.
 */
export async function throwChanged(
  ctx: Ctx,
  held: Pick<ReviewItem, 'subjectId' | 'version' | 'isWaiting'>,
  { subjectType, outcome }: { subjectType: SubjectType; outcome: Outcome },
): Promise<never> {
  const latest = held.isWaiting ? undefined : await readLatest(ctx, { subjectType, subjectId: held.subjectId }, outcome)
  const facts: ChangedFacts = {
    version: held.version,
    ...(latest && {
      decision: latest.decision,
      decidedBy: latest.decidedBy ?? latest.decidedByName,
      decidedByName: latest.decidedByName,
      decidedAt: latest.decidedAt.toISOString(),
    }),
  }
  throw new DomainError('CHANGED', { ...facts })
}

/** Approving leaves a report open, dismissing a report leaves an item held; deleting and rejecting end both. */
function readLatest(ctx: Ctx, { subjectType, subjectId }: Subject, outcome: Outcome) {
  const isReport = outcome === 'dismissed' || outcome === 'deleted'
  return queryOne<{
    decision: Outcome
    decidedBy: string | null
    decidedByName: string
    decidedAt: Date
  }>(
    ctx,
    sql`
    select d.outcome as decision, d.decided_by as "decidedBy", d.decided_by_name as "decidedByName", d.decided_at as "decidedAt"
    from decision d
    where d.subject_type = ${subjectType}::subject_type and d.subject_id = ${subjectId} and d.undone_at is null
      and d.outcome <> ${isReport ? 'approved' : 'dismissed'}::decision_outcome
    order by d.decided_at desc, d.decision_id desc limit 1`,
  )
}
