import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import { recordEvent } from '#server/modules/events/record-event.ts'
import { requireReason } from '#server/modules/reasons/require-reason.ts'
import type { Held } from '#server/modules/review/kinds/kind.ts'
import { kindOf } from '#server/modules/review/kinds/kinds.ts'
import { findSameDecision, recordDecision, refuseAsChanged } from '#server/modules/review/record-decision.ts'
import type { Decided, Deciding, Subject } from '#server/modules/review/schema.ts'

/** Moves what waits, or was approved, to an outcome, with all that goes with a decision. */
export function settle(ctx: Ctx, input: Subject & Deciding, from: 'waiting' | 'approved'): Promise<Decided> {
  return inTransaction(ctx, async (ctx) => {
    const subject = { subjectType: input.subjectType, subjectId: input.subjectId }
    const kind = kindOf(input.subjectType, input.outcome)
    const held = await kind.lock(ctx, input.subjectId)
    refuseStrangers(ctx, held)
    const same = await findSameDecision(ctx, { ...subject, ...input })
    if (same) return same

    const reason = await requireReason(ctx, input)
    const version = input.version ?? held.version
    const moved = await kind.move(ctx, held, { from, to: input.outcome, version })
    if (moved === undefined) return refuseAsChanged(ctx, held, input)

    await recordAudit(ctx, {
      ...subject,
      action: `${input.subjectType}.${from === 'waiting' ? input.outcome : 'reversed'}`,
      communityId: held.communityId,
      channelId: held.channelId ?? null,
      before: { ...kind.logged(from), version: held.version },
      after: { ...kind.logged(input.outcome), version: moved.version },
      text: reason,
    })
    const happening = await kind.happening(ctx, held, input.outcome)
    const event = await recordEvent(ctx, { ...happening, holdForMs: ctx.undoWindowMs })
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
    return {
      ...subject,
      decisionId,
      outcome: input.outcome,
      version: moved.version,
      undoUntil: event.releasesAt.toISOString(),
    }
  })
}

function refuseStrangers(ctx: Ctx, held: Held): void {
  if (!held.mayReview || held.authorId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
}
