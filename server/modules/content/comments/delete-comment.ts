import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { commentKind } from '#server/modules/content/comments/comment-kind.ts'
import { placeDeltas } from '#server/modules/content/comments/count-visible.ts'
import type { LockedComment } from '#server/modules/content/comments/lock-comment.ts'
import { eraseSubjects } from '#server/modules/content/flags/erase-subjects.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { deleteContent } from '#server/modules/content/reviewable/delete-content.ts'
import { withdrawnIf } from '#server/modules/content/withdraw-hidden.ts'
import { type Delta, deltaTables } from '#server/modules/ledger/counts/record-delta.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'

/**
 * Deletes a comment as `deleteContent` does; a pending one leaves the queue, replies to it stay. For its author and for DELETE_COMMUNITY_COMMENT
 * there. Fails with NOT_FOUND and FORBIDDEN.
 */
export function deleteComment(
  ctx: Ctx,
  { commentId, permanent }: { commentId: string; permanent: boolean },
  ownerId?: string,
): Promise<void> {
  const erase = (ctx: Ctx) => eraseSubjects(ctx, 'comment', sql`comment_id = ${commentId}`)
  return deleteContent(ctx, commentKind, { id: commentId, permanent, ownerId, hide: hideComment, erase })
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
