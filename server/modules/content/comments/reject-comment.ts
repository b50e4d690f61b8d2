import type { Ctx } from '#server/core/ctx.ts'
import { publishComment } from '#server/modules/content/comments/comment-event.ts'
import { placeDeltas } from '#server/modules/content/comments/delete-comment.ts'
import type { LockedComment } from '#server/modules/content/comments/lock-comment.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { recordRejection } from '#server/modules/content/reviewable/record-change.ts'
import { recordDeltas } from '#server/modules/ledger/counts/record-delta.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import type { Judgement } from '#server/modules/rules/judging/judge-content.ts'
import { publishMatch } from '#server/modules/rules/judging/publish-match.ts'

/**
 * Rejects a public or pending comment, as live rules say; `write` gives its row the next version. Others learn of it as of a rejection by
 * people.
 */
export async function rejectComment(
  ctx: Ctx,
  comment: LockedComment,
  judgement: Judgement,
  write: () => Promise<void>,
): Promise<void> {
  await write()
  await recordDeltas(ctx, placeDeltas(comment, -1))
  if (comment.flagCount > 0) {
    await markFlagged(ctx, 'comment', comment)
    await keepReports(ctx, 'comment', [comment.subjectId])
  }
  const before = comment.approvalStatus && { approvalStatus: comment.approvalStatus }
  await publishRejection(ctx, { ...comment, version: comment.version + 1 }, { judgement, ...(before && { before }) })
}

interface Rejection {
  judgement: Judgement
  before?: Record<string, unknown>
  /** The comment as everyone sees it, if it has been read already. */
  envelope?: CommentsEnvelope
}

/** Logs and publishes that rules rejected a comment, which is stored as such. */
export async function publishRejection(
  ctx: Ctx,
  comment: Pick<LockedContent, 'subjectId' | 'communityId' | 'version'>,
  { judgement, before, envelope }: Rejection,
): Promise<void> {
  await recordRejection(ctx, 'comment', comment, { before, after: { approvalStatus: 'rejected' }, judgement })
  const published = { ...comment, isPublic: true }
  const change = { name: 'v3.comment.didDelete', deskName: 'desk.comment.didWithdraw' } as const
  await publishComment(ctx, published, { ...change, ...(envelope && { envelope }) })
  const { subjectId: id, communityId } = comment
  await publishMatch(ctx, { type: 'comment', id, communityId }, judgement.rejecting)
}
