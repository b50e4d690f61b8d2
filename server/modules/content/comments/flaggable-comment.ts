import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { commentEvent } from '#server/modules/content/comments/comment-event.ts'
import { type LockedComment, lockComment } from '#server/modules/content/comments/lock-comment.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { type Flaggable, flaggedBy } from '#server/modules/content/flags/flag.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import { assertContentVisible } from '#server/modules/content/reviewable/reviewable.ts'

/** Anyone who may delete it may clear its flags. */
export const flaggableComment: Flaggable<LockedComment, CommentsEnvelope> = {
  type: 'comment',
  find: (ctx, commentId) => assertContentVisible(ctx, reviewableComment, commentId),
  lock: lockComment,
  mayClear: ({ mayDelete }) => mayDelete,
  afterFlag: (ctx, comment) => markFlagged(ctx, 'comment', comment),
  eventOf: (ctx, comment, verb) =>
    commentEvent(ctx, comment, {
      also: flaggedBy(ctx, verb),
      name: `v3.comment.${verb}`,
      deskName: `desk.comment.${verb}`,
    }),
  answer: buildCommentsEnvelope,
}
