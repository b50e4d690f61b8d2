import type { Ctx } from '#server/core/ctx.ts'
import { holds } from '#server/core/permissions.ts'
import { commentEvent } from '#server/modules/content/comments/comment-event.ts'
import { hideComment, restoreComment } from '#server/modules/content/comments/delete-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import type { Flaggable, Placed } from '#server/modules/content/flags/flag.ts'
import { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import {
  hideMessage,
  messageDeleted,
  messageRestored,
  restoreMessage,
} from '#server/modules/content/messages/delete-message.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { lockModerated } from '#server/modules/content/messages/lock-message.ts'
import { hidePost, restorePost } from '#server/modules/content/posts/delete-post.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { postEvent } from '#server/modules/content/posts/post-event.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'

/** What can be flagged, as reviewers of reports handle it. */
export interface Reportable<Subject extends Placed>
  extends Pick<Flaggable<Subject, unknown>, 'type' | 'lock' | 'afterFlag' | 'eventOf'> {
  mayDismiss(ctx: Ctx, subject: Subject): boolean
  /** Absent for what can't be deleted from here. */
  deletion?: {
    mayDelete(ctx: Ctx, subject: Subject): boolean
    hide(ctx: Ctx, subject: Subject): Promise<void>
    restore(ctx: Ctx, subject: Subject): Promise<void>
    eventOf(ctx: Ctx, subject: Subject): Promise<NewEvent>
    /** The event that it is public again. */
    restoredEventOf(ctx: Ctx, subject: Subject): Promise<NewEvent>
  }
}

/** What can be reported. Its reviewers may dismiss a report; those who may delete the subject elsewhere may delete it here. */
export const REPORTABLE = {
  comment: reportable(flaggableComment, {
    mayDismiss,
    deletion: {
      mayDelete: (ctx, comment) => mayDismiss(ctx, comment) && comment.mayDelete,
      hide: hideComment,
      restore: restoreComment,
      eventOf: (ctx, comment) =>
        commentEvent(ctx, comment, { name: 'v3.comment.didDelete', deskName: 'desk.comment.didWithdraw' }),
      restoredEventOf: (ctx, comment) =>
        commentEvent(ctx, comment, { name: 'v3.comment.didApprove', deskName: 'desk.comment.didRestore' }),
    },
  }),
  post: reportable(flaggablePost, {
    mayDismiss,
    deletion: {
      mayDelete: (ctx, post) => mayDismiss(ctx, post) && post.mayDelete,
      hide: hidePost,
      restore: restorePost,
      eventOf: (ctx, post) => postEvent(ctx, post, { name: 'v3.post.didDelete', deskName: 'desk.post.didWithdraw' }),
      restoredEventOf: (ctx, post) =>
        postEvent(ctx, post, { name: 'v3.post.didApprove', deskName: 'desk.post.didRestore' }),
    },
  }),
  message: reportable(
    { ...flaggableMessage, lock: lockModerated },
    {
      mayDismiss: (_ctx, message) => message.mayDelete,
      deletion: {
        mayDelete: (_ctx, message) => message.mayDelete,
        hide: hideMessage,
        restore: restoreMessage,
        eventOf: messageDeleted,
        restoredEventOf: messageRestored,
      },
    },
  ),
  user: reportable(flaggableUser, { mayDismiss: (_ctx, user) => user.mayClear }),
} satisfies Record<SubjectType, unknown>

/** What belongs to no community is reviewed by network moderators. */
function mayDismiss(ctx: Ctx, { mayReview, communityId }: Placed & { mayReview: boolean }): boolean {
  return mayReview || ((communityId ?? null) === null && holds(ctx, 'MANAGE_POST_AND_COMMENT'))
}

/** Returns its argument, with the types of its functions connected. */
function reportable<Subject extends Placed>(
  flaggable: Flaggable<Subject, unknown>,
  acts: Pick<Reportable<Subject>, 'mayDismiss' | 'deletion'>,
): Reportable<Subject> {
  return { ...flaggable, ...acts }
}
