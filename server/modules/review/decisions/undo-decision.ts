import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { cancelEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { voidStatement } from '#server/modules/network/statements/write-statements.ts'
import type { ReviewState } from '#server/modules/review/decisions/handlers/handler.ts'
import { handlerOf } from '#server/modules/review/decisions/handlers/handlers.ts'
import { type OwnDecision, readOwnDecision } from '#server/modules/review/decisions/read-own-decision.ts'
import { throwChanged } from '#server/modules/review/decisions/record-decision.ts'
import type { UndoInput, Undone } from '#server/modules/review/decisions/schema.ts'

/**
 * Undoes one of the caller's own decisions before its event is published: the item is pending again at its old place, or
 * approved or rejected again. Fails with NOT_FOUND for a decision the caller may not see, FORBIDDEN for a colleague's, CHANGED once its
 * undo time is over or the item has changed since.
 */
export function undoDecision(ctx: Ctx, input: UndoInput): Promise<Undone> {
  return inTransaction(ctx, async (ctx) => {
    const decision = await readOwnDecision(ctx, input.decisionId)
    const before = stateBefore(decision)
    const subject = { subjectType: decision.subjectType, subjectId: decision.subjectId }
    const kind = handlerOf(decision.subjectType, decision.outcome, before)
    const held = await kind.lock(ctx, decision.subjectId)
    // Looked at first, as a bulk undo goes on after the failure: what it can't undo is still published.
    const isSame = held.version === decision.version
    if (!isSame || !(await cancelEvent(ctx, decision.eventId))) return throwChanged(ctx, held, decision)
    const moved = await kind.move(ctx, held, { from: decision.outcome, to: before })
    if (moved === undefined) return throwChanged(ctx, held, decision)

    await markUndone(ctx, decision)
    await voidStatement(ctx, decision)
    await recordAudit(ctx, {
      ...subject,
      action: `${decision.subjectType}.undone`,
      communityId: held.communityId,
      channelId: held.channelId ?? null,
      before: { ...kind.toAuditState(decision.outcome), version: decision.version },
      after: { ...kind.toAuditState(before), version: moved.version },
    })
    await recordEvent(ctx, {
      ...subject,
      name: `desk.${decision.subjectType}.${decision.isReversal ? 'didRestore' : 'didUndo'}`,
      communityId: held.communityId,
      payload: { decisionId: decision.decisionId },
      isDeskOnly: true,
    })
    return { ...subject, version: moved.version }
  })
}

function stateBefore({ isReversal, outcome }: OwnDecision): ReviewState {
  if (!isReversal) return 'waiting'
  return outcome === 'approved' ? 'rejected' : 'approved'
}

/** Marks the decision as undone, for the worker that forgets what it rejected too. */
async function markUndone(ctx: Ctx, decision: OwnDecision): Promise<void> {
  await execute(
    ctx,
    sql`
    update decision set undone_at = ${ctx.now()}, are_bands_stored = false where decision_id = ${decision.decisionId}::bigint`,
  )
}
