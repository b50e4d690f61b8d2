import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { requireReason } from '#server/modules/network/reasons/require-reason.ts'
import type { Publication, ReviewHandler, ReviewItem } from '#server/modules/review/queue/handlers/handler.ts'
import { handlerOf } from '#server/modules/review/queue/handlers/handlers.ts'
import { findSameDecision, recordDecision, throwChanged } from '#server/modules/review/queue/record-decision.ts'
import type { Decided, Deciding, Outcome, Subject } from '#server/modules/review/queue/schema.ts'

/** Moves an item that is pending, or was approved, to an outcome, together with everything a decision changes. */
export async function applyDecision(
  ctx: Ctx,
  input: Subject & Deciding,
  from: 'waiting' | 'approved',
): Promise<Decided> {
  const { decided } = await applyDecisionAs(ctx, handlerOf(input.subjectType, input.outcome), input, from)
  return decided
}

interface Applied<Seen> {
  decided: Decided
  /** Reads the item as the caller sees it afterwards, in the same transaction; absent if it was decided before. */
  readSeen?: Publication<Seen>['readSeen']
}

/** The same for an item whose type is known, with its row. */
export function applyDecisionAs<Row extends ReviewItem, Ends extends Outcome, Seen>(
  ctx: Ctx,
  kind: ReviewHandler<Row, Ends, Seen>,
  input: Subject & Deciding & { outcome: Ends },
  from: 'waiting' | ('approved' & Ends),
): Promise<Applied<Seen>> {
  return inTransaction(ctx, async (ctx) => {
    const subject = { subjectType: input.subjectType, subjectId: input.subjectId }
    const held = await kind.lock(ctx, input.subjectId)
    assertMayDecide(ctx, held)
    const same = await findSameDecision(ctx, { ...subject, ...input })
    if (same) return { decided: same }

    const reason = await requireReason(ctx, input)
    const version = input.version ?? held.version
    const moved = await kind.move(ctx, held, { from, to: input.outcome, version })
    if (moved === undefined) return throwChanged(ctx, held, input)

    await recordAudit(ctx, {
      ...subject,
      action: `${input.subjectType}.${from === 'waiting' ? input.outcome : 'reversed'}`,
      communityId: held.communityId,
      channelId: held.channelId ?? null,
      before: { ...kind.toAuditState(from), version: held.version },
      after: { ...kind.toAuditState(input.outcome), version: moved.version },
      text: reason,
    })
    const { newEvent, readSeen } = await kind.publish(ctx, held, input.outcome)
    const event = await recordEvent(ctx, { ...newEvent, holdForMs: ctx.undoWindowMs })
    const decisionId = await recordDecision(ctx, {
      ...subject,
      communityId: held.communityId,
      authorId: held.authorId,
      outcome: input.outcome,
      reason,
      reasonId: input.reasonId,
      clientKey: input.clientKey,
      bulkId: input.bulkId,
      isReversal: from === 'approved',
      version: moved.version,
      textDigest: moved.textDigest,
      eventId: event.eventId,
    })
    const { outcome } = input
    const undoUntil = event.releasesAt.toISOString()
    return { decided: { ...subject, decisionId, outcome, version: moved.version, undoUntil }, readSeen }
  })
}

function assertMayDecide(ctx: Ctx, held: ReviewItem): void {
  if (!held.mayReview || held.authorId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
}
