import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import { countVisible } from '#server/modules/comments/count-visible.ts'
import { markFlagged } from '#server/modules/comments/mark-flagged.ts'
import { recordDelta } from '#server/modules/counts/record-delta.ts'
import { cancelEvent, recordEvent } from '#server/modules/events/record-event.ts'
import { type HeldComment, lockComment } from '#server/modules/review/lock-comment.ts'
import { refuseAsChanged } from '#server/modules/review/record-decision.ts'
import type { UndoInput, Undone } from '#server/modules/review/schema.ts'

/**
 * Takes one's own decision back while nobody outside has heard of it: the comment waits again, at its old place. Fails with
 * NOT_FOUND for a decision the caller may not know of, FORBIDDEN for a colleague's, CHANGED once its time is over or the
 * comment has moved on.
 */
export function undoDecision(ctx: Ctx, input: UndoInput): Promise<Undone> {
  return inTransaction(ctx, async (ctx) => {
    const decision = await readDecision(ctx, input.decisionId)
    if (decision.decidedBy === null || decision.decidedBy !== actingUserId(ctx)) throw new DomainError('FORBIDDEN')

    const comment = await lockComment(ctx, decision.commentId)
    if (!(await cancelEvent(ctx, decision.eventId))) return refuseComment(ctx, comment)
    const version = await putBack(ctx, comment, decision)

    await recordDelta(ctx, 'held_comments', comment.communityId, 1)
    if (decision.outcome === 'approved') await countVisible(ctx, comment, -1)
    else await markFlagged(ctx, comment)
    await recordAudit(ctx, {
      action: 'comment.undone',
      subjectType: 'comment',
      subjectId: comment.commentId,
      communityId: comment.communityId,
      before: { approvalStatus: decision.outcome, version: decision.version },
      after: { approvalStatus: 'pending', version },
    })
    await recordEvent(ctx, {
      name: 'desk.comment.didUndo',
      subjectType: 'comment',
      subjectId: comment.commentId,
      communityId: comment.communityId,
      payload: { decisionId: input.decisionId },
      isDeskOnly: true,
    })
    return { commentId: comment.commentId, version }
  })
}

interface OwnDecision {
  commentId: string
  outcome: string
  version: number
  decidedBy: string | null
  eventId: string
}

/** In the scope of the community that the stored decision names. */
async function readDecision(ctx: Ctx, decisionId: string): Promise<OwnDecision> {
  const decision = await queryOne<OwnDecision>(
    ctx,
    Prisma.sql`
    select d.subject_id as "commentId", d.outcome::text as outcome, d.version, d.decided_by as "decidedBy", d.event_id::text as "eventId"
    from decision d
    where d.decision_id = ${decisionId}::bigint and d.subject_type = 'comment'
      and ${mayInCommunity(ctx, 'reviewComments', Prisma.sql`d.community_id`)}`,
  )
  if (decision === undefined) throw new DomainError('NOT_FOUND')
  return decision
}

/** Compare-and-set on what the decision left behind. */
async function putBack(ctx: Ctx, comment: HeldComment, decision: OwnDecision): Promise<number> {
  const restored = await queryOne<{ version: number }>(
    ctx,
    Prisma.sql`
    with restored as (
      update comment set approval_status = 'pending', is_deleted = false, version = version + 1, updated_at = ${ctx.now()}
      where comment_id = ${decision.commentId} and approval_status = ${decision.outcome}::approval_status and version = ${decision.version}
      returning version)
    update decision set undone_at = ${ctx.now()} from restored
    where subject_type = 'comment' and subject_id = ${decision.commentId} and decision.version = ${decision.version} and undone_at is null
    returning restored.version`,
  )
  return restored?.version ?? refuseComment(ctx, comment)
}

function refuseComment(ctx: Ctx, { commentId, version }: HeldComment): Promise<never> {
  return refuseAsChanged(ctx, { subjectType: 'comment', subjectId: commentId, version })
}
