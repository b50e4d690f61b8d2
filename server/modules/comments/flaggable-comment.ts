import { buildCommentsEnvelope, buildPublicCommentsEnvelope } from '#server/modules/comments/build-comments-envelope.ts'
import { type LockedComment, lockForChange } from '#server/modules/comments/lock-for-change.ts'
import { markFlagged } from '#server/modules/comments/mark-flagged.ts'
import { findComment } from '#server/modules/comments/read-comment.ts'
import type { CommentsEnvelope } from '#server/modules/comments/schema.ts'
import { commentEvent } from '#server/modules/comments/publish-comment.ts'
import { type Flaggable, flaggedBy } from '#server/modules/flags/flag.ts'

/** Its flags are cleared by whoever may delete it. */
export const flaggableComment: Flaggable<LockedComment, CommentsEnvelope> = {
  type: 'comment',
  find: findComment,
  lock: lockForChange,
  mayClear: ({ mayDelete }) => mayDelete,
  settle: markFlagged,
  happening: async (ctx, comment, verb) =>
    commentEvent({
      comment,
      envelope: await buildPublicCommentsEnvelope(ctx, [comment.commentId]),
      also: flaggedBy(ctx, verb),
      name: `v3.comment.${verb}`,
      deskName: `desk.comment.${verb}`,
    }),
  answer: buildCommentsEnvelope,
}
