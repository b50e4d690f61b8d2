import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import { answerEveryone } from '#server/modules/comments/answer-comments.ts'
import { countVisible } from '#server/modules/comments/count-visible.ts'
import { markFlagged } from '#server/modules/comments/mark-flagged.ts'
import { COMMENT_COLUMNS, type CommentRow, toCommentView } from '#server/modules/comments/view.ts'
import { recordDelta } from '#server/modules/counts/record-delta.ts'
import { recordEvent } from '#server/modules/events/record-event.ts'
import { type HeldComment, lockComment } from '#server/modules/review/lock-comment.ts'
import { recordDecision, refuseAsChanged } from '#server/modules/review/record-decision.ts'
import type { DecideComment, Decided, Outcome } from '#server/modules/review/schema.ts'

/** What an integrator is told (WIRE.md, section 6): a declined comment is reported as deleted. */
const EVENT_OF: Record<Outcome, string> = { approved: 'v3.comment.didApprove', rejected: 'v3.comment.didDelete' }

/**
 * Approves or rejects a held comment; rejecting also deletes it. Fails with NOT_FOUND for one the caller may not know of,
 * FORBIDDEN for one that is not theirs to decide or that they wrote, CHANGED where someone else was first or it was edited.
 */
export function decideComment(ctx: Ctx, input: DecideComment): Promise<Decided> {
  return inTransaction(ctx, async (ctx) => {
    const held = await lockComment(ctx, input.commentId)
    refuseStrangers(ctx, held)

    const settled = await settle(ctx, held, input)
    const comment = toCommentView(settled, { children: [], myReactions: [] })
    await recordDelta(ctx, 'held_comments', held.communityId, -1)
    if (input.outcome === 'approved') await countVisible(ctx, held, 1)
    else if (settled.flagCount > 0) await markFlagged(ctx, held)
    await recordAudit(ctx, {
      ...subjectOf(held),
      action: `comment.${input.outcome}`,
      communityId: held.communityId,
      before: { approvalStatus: 'pending', version: held.version },
      after: { approvalStatus: input.outcome, version: settled.version },
      text: input.reason,
    })
    const event = await recordEvent(ctx, {
      ...subjectOf(held),
      name: EVENT_OF[input.outcome],
      communityId: held.communityId,
      payload: { ...(await answerEveryone(ctx, [held.commentId])) },
      holdForMs: ctx.undoWindowMs,
    })
    const decisionId = await recordDecision(ctx, {
      ...subjectOf(held),
      communityId: held.communityId,
      authorId: held.userId,
      outcome: input.outcome,
      reason: input.reason,
      version: settled.version,
      eventId: event.eventId,
    })
    return { decisionId, comment, version: settled.version, undoUntil: event.releasesAt.toISOString() }
  })
}

function subjectOf({ commentId }: HeldComment) {
  return { subjectType: 'comment' as const, subjectId: commentId }
}

function refuseStrangers(ctx: Ctx, held: HeldComment): void {
  if (!held.mayReview || held.userId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
}

/** Compare-and-set on state and version: of two reviewers deciding at once, the second learns the first one's decision. */
async function settle(ctx: Ctx, held: HeldComment, { outcome, version }: DecideComment): Promise<CommentRow> {
  const settled = await queryOne<CommentRow>(
    ctx,
    Prisma.sql`
    update comment c
    set approval_status = ${outcome}::approval_status, is_deleted = ${outcome === 'rejected'}, version = c.version + 1, updated_at = ${ctx.now()}
    from network_user u
    where c.comment_id = ${held.commentId} and c.approval_status = 'pending' and not c.is_deleted
      and c.version = ${version ?? held.version} and u.user_id = c.user_id
    returning ${COMMENT_COLUMNS}`,
  )
  return settled ?? refuseAsChanged(ctx, { ...subjectOf(held), version: held.version })
}
