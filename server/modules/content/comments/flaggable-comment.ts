import type { Ctx } from '#server/core/ctx.ts'
import { answerBoth, buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { commentEvent } from '#server/modules/content/comments/comment-event.ts'
import { type LockedComment, lockComment } from '#server/modules/content/comments/lock-comment.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { type FlagChange, type Flaggable, flaggedBy } from '#server/modules/content/flags/flag.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import type { ContentChange } from '#server/modules/content/reviewable/content-event.ts'
import { assertContentVisible } from '#server/modules/content/reviewable/reviewable.ts'

/** Anyone who may delete it may clear its flags. */
export const flaggableComment: Flaggable<LockedComment, CommentsEnvelope> = {
  type: 'comment',
  find: (ctx, commentId) => assertContentVisible(ctx, reviewableComment, commentId),
  lock: lockComment,
  mayClear: ({ mayDelete }) => mayDelete,
  afterFlag: (ctx, comment) => markFlagged(ctx, 'comment', comment),
  eventOf: (ctx, comment, verb) => commentEvent(ctx, comment, changeOf(ctx, verb)),
  answer: buildCommentsEnvelope,
  publish: async (ctx, comment, verb) => {
    const { everyone, caller } = await answerBoth(ctx, comment.subjectId)
    const event = await commentEvent(ctx, comment, { ...changeOf(ctx, verb), payload: everyone })
    return { event, answer: caller }
  },
}

function changeOf(ctx: Ctx, verb: FlagChange['verb']): ContentChange {
  return { also: flaggedBy(ctx, verb), name: `v3.comment.${verb}`, deskName: `desk.comment.${verb}` }
}
