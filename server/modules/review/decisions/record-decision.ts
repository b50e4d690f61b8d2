import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { violates } from '#server/core/database/sql-state.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { decidedItems } from '#server/modules/content/items/put-items.ts'
import { type Act, auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import type { Delta } from '#server/modules/ledger/counts/record-delta.ts'
import { eventTables, type NewEvent } from '#server/modules/ledger/events/record-event.ts'
import { decisionStatements } from '#server/modules/review/decisions/decision-statements.ts'
import type { ReviewItem } from '#server/modules/review/decisions/handlers/handler.ts'
import type {
  ChangedFacts,
  Decided,
  ItemKind,
  Outcome,
  Subject,
  SubjectType,
} from '#server/modules/review/decisions/schema.ts'
import { type Rejection, rejectionOf } from '#server/modules/rules/judging/review-reasons.ts'

export interface NewDecision extends Subject {
  kind: ItemKind
  communityId: string | null
  authorId: string
  outcome: Outcome
  reason: string | undefined
  reasonId: string | undefined
  clientKey: string | undefined
  bulkId: string | undefined
  isReversal: boolean
}

/** The log entry, the event and the decision of one item, and the counts that change with it, as far as they have not been recorded yet. */
export interface Recorded {
  act: Act
  event: NewEvent
  decision: NewDecision
  deltas?: Delta[]
}

interface Outcomes {
  /**
   * Common table expressions, among them `moved`, that make the change, if it has not been made yet: a row with `subject_id`, `version`, `text_digest` and
   * `held_at` for each item that was changed.
   */
  moved: Sql
  /** Of the same type, kind and outcome. */
  planned: [Recorded, ...Recorded[]]
}

export interface RecordedDecision {
  subjectId: string
  decisionId: string
  /** The subject's version after the decision. */
  version: number
  releasesAt: Date
}

/**
 * Makes the change and records it in one statement: the counts, the log entries, the events, who decided what. Returns what was changed; fails with
 * CHANGED if the caller's key was used for something else at the same moment.
 */
export async function recordDecisions(ctx: Ctx, { moved, planned }: Outcomes): Promise<RecordedDecision[]> {
  const [{ decision }] = planned
  const { subjectType, kind, outcome, isReversal } = decision
  const deltas = planned.flatMap(({ act, deltas = [] }) =>
    deltas.map(({ kind, subjectId, delta }) => ({ of: act.subjectId, kind, id: subjectId, delta })),
  )
  const made = planned.map(({ decision }) => decision)
  const isMoved = sql`join moved on moved.subject_id = made."subjectId"`
  try {
    return await query<RecordedDecision>(
      ctx,
      sql`
      with ${moved},
      counted as (
        insert into tally_delta (kind, subject_id, delta)
        select made.kind, made.id, made.delta
        from jsonb_to_recordset(${JSON.stringify(deltas)}::jsonb) as made("of" text, kind tally_kind, id text, delta int)
        join moved on moved.subject_id = made."of"),
      ${auditTables(
        ctx,
        planned.map(({ act }) => act),
        isMoved,
      )},
      ${eventTables(
        ctx,
        planned.map(({ event }) => event),
        isMoved,
      )},
      ${decidedItems(ctx, { subjectType, outcome, subjectId: sql`moved.subject_id` })},
      decided as (
        insert into decision (subject_type, subject_id, community_id, author_id, kind, outcome, reason, reason_id, client_key, bulk_id,
          is_reversal, decided_by, decided_by_name, decided_at, source, version, text_digest, event_id, held_at)
        select ${subjectType}::subject_type, made."subjectId", made."communityId", made."authorId", ${kind}, ${outcome}, made.reason,
          made."reasonId", made."clientKey", made."bulkId", ${isReversal}, ${actingUserId(ctx) ?? null}, ${actorName(ctx)}, ${ctx.now()},
          ${ctx.source}::source, moved.version, moved.text_digest, stored_event.event_id, case when not ${isReversal} then moved.held_at end
        from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as made("subjectId" text, "communityId" text, "authorId" text, reason text,
          "reasonId" text, "clientKey" text, "bulkId" text)
        ${isMoved} join stored_event on stored_event.subject_id = made."subjectId"
        returning *)${decisionStatements(ctx, decision)}
      select decided.decision_id::text as decision_id, decided.subject_id, decided.version, stored_event.releases_at
      from decided join stored_event on stored_event.event_id = decided.event_id`,
    )
  } catch (error) {
    throw violates(error, 'decision_client_key') ? new DomainError('CHANGED', undefined, { cause: error }) : error
  }
}

interface Deciding extends Subject {
  clientKey?: string | undefined
  outcome: Outcome
}

/** The caller's earlier decision under this key, if any; a key that was used for something else is CHANGED. Uses decision_client_key. */
export async function findSameDecision(ctx: Ctx, deciding: Deciding): Promise<Decided | undefined> {
  if (deciding.clientKey === undefined) return undefined
  const same = await queryOne<Omit<Decided, 'undoUntil'> & { undoUntil: Date }>(
    ctx,
    sql`
    select d.decision_id::text as decision_id, d.subject_type, d.subject_id, d.outcome, d.version, e.releases_at as undo_until
    from decision d join event e on e.event_id = d.event_id
    where d.decided_by = ${actingUserId(ctx) ?? null} and d.client_key = ${deciding.clientKey}`,
  )
  if (same === undefined) return undefined
  const { subjectType, subjectId, outcome } = deciding
  if (same.subjectType !== subjectType || same.subjectId !== subjectId || same.outcome !== outcome)
    throw new DomainError('CHANGED')
  return { ...same, undoUntil: same.undoUntil.toISOString() }
}

/**
 * Fails with CHANGED, which says who decided what and when; for an item that is still pending, as it was edited or flagged again, only its
 * version.
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

interface Latest {
  decision: Outcome
  decidedBy: string | null
  decidedByName: string
  decidedAt: Date
}

/** The latest decision in force, by people or by rules. */
async function readLatest(ctx: Ctx, subject: Subject, outcome: Outcome): Promise<Latest | undefined> {
  const [byPeople, byRules] = [await readLatestDecision(ctx, subject, outcome), await readRejection(ctx, subject)]
  return byRules && !(byPeople && byPeople.decidedAt >= byRules.decidedAt) ? byRules : byPeople
}

/** The latest decision in force by people. Approving leaves a report open, dismissing a report leaves an item held; deleting and rejecting end both. */
export function readLatestDecision(ctx: Ctx, { subjectType, subjectId }: Subject, outcome: Outcome) {
  const isReport = outcome === 'dismissed' || outcome === 'deleted'
  return queryOne<Latest>(
    ctx,
    sql`
    select d.outcome as decision, d.decided_by, d.decided_by_name, d.decided_at
    from decision d
    where d.subject_type = ${subjectType}::subject_type and d.subject_id = ${subjectId} and d.undone_at is null
      and d.outcome <> ${isReport ? 'approved' : 'dismissed'}
    order by d.decided_at desc, d.decision_id desc limit 1`,
  )
}

/** The rejection by rules, as if it were a decision. */
async function readRejection(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<Latest | undefined> {
  const subject = { subjectType: sql`${subjectType}::subject_type`, subjectId: sql`${subjectId}` }
  const found = await queryOne<{ rejection: Rejection | null }>(ctx, sql`select ${rejectionOf(subject)} as rejection`)
  const rejection = found?.rejection
  if (!rejection) return undefined
  const by = { decidedBy: 'rules', decidedByName: rejection.by.join(', ') }
  return { decision: 'rejected', ...by, decidedAt: new Date(rejection.at) }
}
