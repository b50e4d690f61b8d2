import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { requireReason } from '#server/modules/network/reasons/require-reason.ts'
import { restatedTables } from '#server/modules/network/statements/write-statements.ts'
import { reasonOf } from '#server/modules/review/decisions/decision-statements.ts'
import { type OwnDecision, readOwnDecision } from '#server/modules/review/decisions/read-own-decision.ts'
import { throwChanged } from '#server/modules/review/decisions/record-decision.ts'
import type { GivenReason, GiveReasonInput } from '#server/modules/review/decisions/schema.ts'

/**
 * Adds a reason to the caller's own rejection or deletion before it is published; the last reason given counts. Fails with
 * NOT_FOUND for a decision the caller may not see, FORBIDDEN for a colleague's, CHANGED for any other outcome, or one that was
 * undone or already published, INVALID_PARAMETERS for an invalid reason.
 */
export function giveReason(ctx: Ctx, input: GiveReasonInput): Promise<GivenReason> {
  return inTransaction(ctx, async (ctx) => {
    const decision = await readOwnDecision(ctx, input.decisionId)
    const { subjectType, subjectId, communityId, decisionId } = decision
    const subject = { subjectType, subjectId, communityId }
    const reason = (await requireReason(ctx, input)) ?? ''
    if (!(await setReason(ctx, decision, { reason, reasonId: input.reasonId })))
      return throwChanged(ctx, { subjectId, version: decision.version, isWaiting: false }, decision)

    await recordAudit(ctx, {
      ...subject,
      action: `${subjectType}.reasonGiven`,
      before: { decisionId, reasonId: decision.reasonId },
      after: { decisionId, reasonId: input.reasonId ?? null },
      text: reason,
    })
    await recordEvent(ctx, {
      ...subject,
      name: `desk.${subjectType}.didGiveReason`,
      payload: { decisionId },
      isDeskOnly: true,
    })
    return { subjectType, subjectId, reason }
  })
}

/** Compare-and-set: the lock on the event prevents a publish or an undo while the reason is written. */
async function setReason(
  ctx: Ctx,
  { decisionId, eventId }: OwnDecision,
  { reason, reasonId }: { reason: string; reasonId: string | undefined },
): Promise<boolean> {
  const set = await execute(
    ctx,
    sql`
    with given as (
      update decision d set reason = ${reason}, reason_id = ${reasonId ?? null}
      from (
      select event_id from event
      where event_id = ${eventId}::bigint and state = 'held' and releases_at > ${ctx.now()} for share) unpublished
    where d.decision_id = ${decisionId}::bigint and d.event_id = unpublished.event_id and d.outcome in ('rejected', 'deleted') and d.undone_at is null
      returning d.*),
    ${restatedTables(reasonOf('given'))}
    select 1 as given from given`,
  )
  return set > 0
}
