import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { decidedItems } from '#server/modules/content/items/put-items.ts'
import { auditsTables } from '#server/modules/ledger/audit/record-audits.ts'
import type { Delta } from '#server/modules/ledger/counts/record-delta.ts'
import { eventsTables } from '#server/modules/ledger/events/record-event.ts'
import { chooseReason } from '#server/modules/network/reasons/require-reason.ts'
import { toDecided, toRecord } from '#server/modules/review/decisions/apply-decision.ts'
import { findHandler } from '#server/modules/review/decisions/handlers/handlers.ts'
import type { Recorded, RecordedDecision } from '#server/modules/review/decisions/record-decision.ts'
import type { Decided, Deciding, SubjectType } from '#server/modules/review/decisions/schema.ts'

interface Several extends Omit<Deciding, 'version' | 'clientKey' | 'despiteClaimOf'> {
  subjectType: SubjectType
  /** Each at the version the caller saw. */
  items: { subjectId: string; version: number }[]
}

interface Planned extends Recorded {
  deltas: Delta[]
}

/**
 * Decides on held items of one type: one statement reads them, another changes those that are still the same and records their decisions.
 * Returns these; every other item stays as it is, and `decide` says why.
 */
export async function decideSeveral(ctx: Ctx, { items, ...deciding }: Several): Promise<Decided[]> {
  const { subjectType, outcome } = deciding
  const kind = findHandler(subjectType, outcome)
  if (kind?.batch === undefined || items.length === 0) return []
  const undecided = await kind.batch.read(
    ctx,
    items.map(({ subjectId }) => subjectId),
    deciding,
  )
  const planned = items.flatMap(({ subjectId, version }): Planned[] => {
    const item = undecided.get(subjectId)
    const isOpen = item?.isWaiting && item.version === version && item.mayReview
    if (!isOpen || item.authorId === actingUserId(ctx)) return []
    const change = item.changeTo(ctx, { from: 'waiting', to: outcome, version })
    const isReasonKnown = deciding.reasonId === undefined || item.managedReason !== null
    if (change === undefined || !isReasonKnown) return []
    const reason = chooseReason(deciding, item.managedReason)
    const input = { ...deciding, subjectId }
    const { deltas, event } = change
    return [{ ...toRecord(ctx, kind, { item, after: version + 1, input, from: 'waiting', reason, event }), deltas }]
  })
  const [first, ...others] = planned
  if (first === undefined) return []
  const seen = items.filter(({ subjectId }) => planned.some(({ act }) => act.subjectId === subjectId))
  const recorded = await recordSeveral(ctx, kind.batch.moved(ctx, seen, outcome), [first, ...others])
  return recorded.map(({ subjectId, ...decision }) => toDecided({ ...deciding, subjectId }, decision))
}

/** As `recordDecision` does, for each row of `moved`. */
function recordSeveral(
  ctx: Ctx,
  moved: Sql,
  [first, ...others]: [Planned, ...Planned[]],
): Promise<(RecordedDecision & { subjectId: string })[]> {
  const { event, decision } = first
  const planned = [first, ...others]
  const at = ctx.now()
  const deltas = planned.flatMap(({ act, deltas }) =>
    deltas.map(({ kind, subjectId, delta }) => ({ of: act.subjectId, kind, id: subjectId, delta })),
  )
  const decisions = planned.map(({ decision: { subjectId, communityId, authorId } }) => ({
    subjectId,
    communityId,
    authorId,
  }))
  return query(
    ctx,
    sql`
    with ${moved},
    counted as (
      insert into tally_delta (kind, subject_id, delta)
      select made.kind, made.id, made.delta
      from jsonb_to_recordset(${JSON.stringify(deltas)}::jsonb) as made("of" text, kind tally_kind, id text, delta int)
      join moved on moved.subject_id = made."of"),
    ${auditsTables(
      ctx,
      planned.map(({ act }) => act),
      sql`join moved on moved.subject_id = made."subjectId"`,
    )},
    ${eventsTables(
      ctx,
      planned.map(({ event }) => event),
      event,
      sql`join moved on moved.subject_id = made."subjectId"`,
    )},
    ${decidedItems(ctx, { ...decision, subjectId: sql`moved.subject_id` })},
    decided as (
      insert into decision (subject_type, subject_id, community_id, author_id, outcome, reason, reason_id, bulk_id, is_reversal,
        decided_by, decided_by_name, decided_at, source, version, text_digest, event_id, held_at)
      select ${decision.subjectType}::subject_type, made."subjectId", made."communityId", made."authorId",
        ${decision.outcome}::decision_outcome, ${decision.reason ?? null}, ${decision.reasonId ?? null}, ${decision.bulkId ?? null},
        ${decision.isReversal}, ${actingUserId(ctx) ?? null}, ${actorName(ctx)}, ${at}, ${ctx.source}::source, moved.version,
        moved.text_digest, stored_event.event_id, moved.held_at
      from jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb) as made("subjectId" text, "communityId" text, "authorId" text)
      join moved on moved.subject_id = made."subjectId" join stored_event on stored_event.subject_id = made."subjectId"
      returning decision_id, subject_id, version, event_id)
    select decided.decision_id::text as decision_id, decided.subject_id, decided.version, stored_event.releases_at
    from decided join stored_event on stored_event.event_id = decided.event_id`,
  )
}
