import { asOwner, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { buildPublicCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { countVisible } from '#server/modules/content/comments/count-visible.ts'
import { type LockedComment, lockForChange } from '#server/modules/content/comments/lock-for-change.ts'
import { markFlagged } from '#server/modules/content/comments/mark-flagged.ts'
import { publishComment } from '#server/modules/content/comments/publish-comment.ts'
import { keepReports } from '#server/modules/content/flags/keep-reports.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordDelta } from '#server/modules/ledger/counts/record-delta.ts'

/**
 * Deletes a comment; a pending one leaves the queue. For its author and for DELETE_COMMUNITY_COMMENT there. `permanent` leaves nothing of
 * it but the log; replies to it stay. Deleting a deleted comment changes nothing. Fails with NOT_FOUND and FORBIDDEN. With `ownerId`, its
 * author's, it is deleted as part of an erasure: then it is found in any space.
 */
export function deleteComment(
  ctx: Ctx,
  input: { commentId: string; permanent: boolean },
  ownerId?: string,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const comment = await lockForChange(asOwner(ctx, ownerId), input.commentId)
    if (!comment.isOwn && !comment.mayDelete) throw new DomainError('FORBIDDEN')
    if (comment.isDeleted && !input.permanent) return

    await hideComment(ctx, comment)
    await recordAudit(ctx, {
      action: input.permanent ? 'comment.erased' : 'comment.deleted',
      subjectType: 'comment',
      subjectId: comment.commentId,
      communityId: comment.communityId,
      before: { ...(comment.approvalStatus && { approvalStatus: comment.approvalStatus }), version: comment.version },
      after: { isDeleted: true },
    })
    await publishComment(ctx, {
      comment,
      envelope: await buildPublicCommentsEnvelope(ctx, [comment.commentId]),
      name: 'v3.comment.didDelete',
      deskName: 'desk.comment.didWithdraw',
    })
    if (input.permanent) await erase(ctx, comment)
  })
}

/** Hides it and removes it from the counts; publishes no event. */
export async function hideComment(ctx: Ctx, comment: LockedComment): Promise<void> {
  await query(
    ctx,
    Prisma.sql`
    update comment set is_deleted = true, version = version + 1, updated_at = ${ctx.now()}
    where comment_id = ${comment.commentId} and version = ${comment.version} returning version`,
  )
  if (comment.flagCount > 0) await noteFlagged(ctx, comment)
  if (!comment.isDeleted) await count(ctx, comment, -1)
}

/** Undoes `hideComment`: the comment is visible or pending again as before. */
export async function restoreComment(ctx: Ctx, comment: LockedComment): Promise<void> {
  await query(
    ctx,
    Prisma.sql`
    update comment set is_deleted = false, version = version + 1, updated_at = ${ctx.now()}
    where comment_id = ${comment.commentId} and version = ${comment.version} returning version`,
  )
  if (comment.flagCount > 0) await noteFlagged(ctx, comment)
  await count(ctx, comment, 1)
}

async function noteFlagged(ctx: Ctx, comment: LockedComment): Promise<void> {
  await markFlagged(ctx, comment)
  await keepReports(ctx, 'comment', [comment.commentId])
}

async function count(ctx: Ctx, comment: LockedComment, delta: 1 | -1): Promise<void> {
  if (comment.approvalStatus !== 'pending') await countVisible(ctx, comment, delta)
  else if (comment.communityId !== null) await recordDelta(ctx, 'held_comments', comment.communityId, delta)
}

async function erase(ctx: Ctx, { commentId }: LockedComment): Promise<void> {
  await query(
    ctx,
    Prisma.sql`
    with flags as (delete from flag where subject_type = 'comment' and subject_id = ${commentId}),
    reactions as (delete from reaction where subject_type = 'comment' and subject_id = ${commentId})
    delete from comment where comment_id = ${commentId} returning 1`,
  )
}
