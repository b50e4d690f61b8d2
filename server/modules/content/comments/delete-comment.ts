import { asOwner, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { commentEvent } from '#server/modules/content/comments/comment-event.ts'
import { visibleDeltas } from '#server/modules/content/comments/count-visible.ts'
import { type LockedComment, lockComment } from '#server/modules/content/comments/lock-comment.ts'
import { eraseSubjects } from '#server/modules/content/flags/erase-subjects.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { recordDeletion } from '#server/modules/content/reviewable/record-change.ts'
import { withdrawHidden, withdrawnIf } from '#server/modules/content/withdraw-hidden.ts'
import { type Delta, deltaTables } from '#server/modules/ledger/counts/record-delta.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'

/**
 * Deletes a comment; a pending one leaves the queue. For its author and for DELETE_COMMUNITY_COMMENT there. `permanent` leaves nothing of
 * it but the log; replies to it stay. Deleting a deleted comment changes nothing, except that
 * nothing makes it visible again once its author has deleted it. Fails with NOT_FOUND and FORBIDDEN. With `ownerId`, its author's, it is deleted
 * as part of an erasure: then it is found in any space.
 */
export function deleteComment(
  ctx: Ctx,
  input: { commentId: string; permanent: boolean },
  ownerId?: string,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const comment = await lockComment(asOwner(ctx, ownerId), input.commentId)
    if (!comment.isOwn && !comment.mayDelete) throw new DomainError('FORBIDDEN')
    if (comment.isDeleted && !input.permanent) return withdrawHidden(ctx, 'comment', comment)

    await hideComment(ctx, comment, { isOwn: comment.isOwn })
    const state = { ...(comment.approvalStatus && { approvalStatus: comment.approvalStatus }) }
    const event = await commentEvent(ctx, comment, {
      name: 'v3.comment.didDelete',
      deskName: 'desk.comment.didWithdraw',
    })
    await recordDeletion(ctx, 'comment', comment, { isPermanent: input.permanent, state, event })
    if (input.permanent) await eraseSubjects(ctx, 'comment', sql`comment_id = ${comment.subjectId}`)
  })
}

/** Hides it and removes it from the counts; publishes no event. With `isOwn` its author does, and nothing makes it visible again. */
export async function hideComment(ctx: Ctx, comment: LockedComment, { isOwn } = { isOwn: false }): Promise<void> {
  await setDeleted(ctx, comment, { isDeleted: true, isOwn }, comment.isDeleted ? [] : placeDeltas(comment, -1))
}

/** Undoes `hideComment`: the comment is visible or pending again as before. */
export async function restoreComment(ctx: Ctx, comment: LockedComment): Promise<void> {
  await setDeleted(ctx, comment, { isDeleted: false, isOwn: false }, placeDeltas(comment, 1))
}

async function setDeleted(
  ctx: Ctx,
  comment: LockedComment,
  { isDeleted, isOwn }: { isDeleted: boolean; isOwn: boolean },
  deltas: Delta[],
): Promise<void> {
  await execute(
    ctx,
    sql`
    with changed as (
      update comment set is_deleted = ${isDeleted}, version = version + 1, updated_at = ${ctx.now()},
        ${withdrawnIf(ctx, isOwn)}
      where comment_id = ${comment.subjectId} and version = ${comment.version}
      returning comment_id) ${deltaTables(deltas, sql`from changed`)}
    select from changed`,
  )
  if (comment.approvalStatus !== null) await putItems(ctx, 'comment', [comment.subjectId])
  if (comment.flagCount === 0) return
  await markFlagged(ctx, 'comment', comment)
  await keepReports(ctx, 'comment', [comment.subjectId])
}

/** What it counts among the public ones, if it is one of them. */
export function placeDeltas(comment: LockedComment, delta: 1 | -1): Delta[] {
  return comment.approvalStatus === 'pending' ? [] : visibleDeltas(comment, delta)
}
