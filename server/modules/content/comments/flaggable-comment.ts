import {
  buildCommentsEnvelope,
  buildPublicCommentsEnvelope,
} from '#server/modules/content/comments/build-comments-envelope.ts'
import { type LockedComment, lockForChange } from '#server/modules/content/comments/lock-for-change.ts'
import { markFlagged } from '#server/modules/content/comments/mark-flagged.ts'
import { commentEvent } from '#server/modules/content/comments/publish-comment.ts'
import { findComment } from '#server/modules/content/comments/read-comment.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { type Flaggable, flaggedBy } from '#server/modules/content/flags/flag.ts'

/** Anyone who may delete it may clear its flags. */
export const flaggableComment: Flaggable<LockedComment, CommentsEnvelope> = {
  type: 'comment',
  find: findComment,
  lock: lockForChange,
  mayClear: ({ mayDelete }) => mayDelete,
  afterFlag: markFlagged,
  eventOf: async (ctx, comment, verb) =>
    commentEvent({
      comment,
      envelope: await buildPublicCommentsEnvelope(ctx, [comment.commentId]),
      also: flaggedBy(ctx, verb),
      name: `v3.comment.${verb}`,
      deskName: `desk.comment.${verb}`,
    }),
  answer: buildCommentsEnvelope,
}
