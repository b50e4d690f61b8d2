import { execute, sql } from '#server/core/db.ts'
import { commentEvent } from '#server/modules/content/comments/comment-event.ts'
import { placeDeltas } from '#server/modules/content/comments/count-visible.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import type { LockedComment } from '#server/modules/content/comments/lock-comment.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import type { ContentKind } from '#server/modules/content/reviewable/content-kind.ts'
import { recordDeltas } from '#server/modules/ledger/counts/record-delta.ts'

const STATUS = { held: 'pending', rejected: 'rejected' } as const

/** What is rejected is deleted too. */
export const commentKind: ContentKind<LockedComment, CommentsEnvelope> = {
  type: 'comment',
  flaggable: flaggableComment,
  eventOf: commentEvent,
  stateOf: ({ approvalStatus }) => (approvalStatus === null ? undefined : { approvalStatus }),
  states: { held: { approvalStatus: 'pending' }, rejected: { approvalStatus: 'rejected' } },
  rejectedEvent: 'v3.comment.didDelete',
  move: async (ctx, comment, to) => {
    await execute(
      ctx,
      sql`
      update comment set approval_status = ${STATUS[to]}::approval_status, is_deleted = is_deleted or ${to === 'rejected'},
        queued_at = case when ${to === 'held'} then ${ctx.now()} else queued_at end, updated_at = ${ctx.now()}
      where comment_id = ${comment.subjectId}`,
    )
    await recordDeltas(ctx, placeDeltas(comment, -1))
    if (comment.flagCount === 0) return []
    if (to === 'rejected') await markFlagged(ctx, 'comment', comment)
    return [comment.subjectId]
  },
}
