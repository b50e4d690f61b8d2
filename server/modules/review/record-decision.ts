import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { ChangedFacts, Outcome } from '#server/modules/review/schema.ts'

/** What is decided on. */
interface Subject {
  subjectType: 'comment' | 'post'
  subjectId: string
}

interface NewDecision extends Subject {
  communityId: string | null
  authorId: string
  outcome: Outcome
  reason: string | undefined
  /** The subject's version after it. */
  version: number
  eventId: string
}

/** Writes down who decided what, in the transaction of the change; gives the decision's id. */
export async function recordDecision(ctx: Ctx, decision: NewDecision): Promise<string> {
  const recorded = await queryOne<{ decisionId: string }>(
    ctx,
    Prisma.sql`
    insert into decision (subject_type, subject_id, community_id, author_id, outcome, reason, decided_by, decided_by_name, decided_at, door,
      version, event_id)
    values (${decision.subjectType}::subject_type, ${decision.subjectId}, ${decision.communityId}, ${decision.authorId},
      ${decision.outcome}::decision_outcome, ${decision.reason ?? null}, ${actingUserId(ctx) ?? null}, ${actorName(ctx)}, ${ctx.now()},
      ${ctx.door}::door, ${decision.version}, ${decision.eventId}::bigint)
    returning decision_id::text as "decisionId"`,
  )
  if (recorded === undefined) throw new Error('an insert returned no row')
  return recorded.decisionId
}

/** Ends with CHANGED, telling a reviewer who decided what and when; the author's later edit has a version only. */
export async function refuseAsChanged(ctx: Ctx, subject: Subject & { version: number }): Promise<never> {
  const latest = await queryOne<{
    decision: Outcome
    decidedBy: string | null
    decidedByName: string
    decidedAt: Date
  }>(
    ctx,
    Prisma.sql`
    select d.outcome as decision, d.decided_by as "decidedBy", d.decided_by_name as "decidedByName", d.decided_at as "decidedAt"
    from decision d
    where d.subject_type = ${subject.subjectType}::subject_type and d.subject_id = ${subject.subjectId} and d.undone_at is null
    order by d.decided_at desc, d.decision_id desc limit 1`,
  )
  const facts: ChangedFacts = {
    version: subject.version,
    ...(latest && {
      decision: latest.decision,
      decidedBy: latest.decidedBy ?? latest.decidedByName,
      decidedByName: latest.decidedByName,
      decidedAt: latest.decidedAt.toISOString(),
    }),
  }
  throw new DomainError('CHANGED', { ...facts })
}
