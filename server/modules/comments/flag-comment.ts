import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { answerComments, answerEveryone } from '#server/modules/comments/answer-comments.ts'
import { type LockedComment, lockForChange } from '#server/modules/comments/lock-for-change.ts'
import { markFlagged } from '#server/modules/comments/mark-flagged.ts'
import { findComment } from '#server/modules/comments/read-comment.ts'
import type { CommentsEnvelope } from '#server/modules/comments/schema.ts'
import { tellComment } from '#server/modules/comments/tell-comment.ts'
import {
  addFlag,
  clearFlags,
  type FlagSubject,
  isFlaggedByCaller,
  removeFlag,
} from '#server/modules/flags/flag-subject.ts'
import type { NewFlag } from '#server/modules/flags/schema.ts'

interface ThisComment {
  commentId: string
}

/** Flags a comment for the caller; once is enough. Fails with NOT_FOUND, and with FORBIDDEN for an admin token. */
export function flagComment(ctx: Ctx, { commentId, flag }: ThisComment & { flag: NewFlag }): Promise<CommentsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const comment = await lockForChange(ctx, commentId)
    const isNew = (await addFlag(ctx, subjectOf(comment), flag)) !== undefined
    return tell(ctx, comment, { isChanged: isNew, name: 'didFlag' })
  })
}

/** Takes the caller's flag back. Fails with NOT_FOUND, and with FORBIDDEN for an admin token. */
export function unflagComment(ctx: Ctx, { commentId }: ThisComment): Promise<CommentsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const comment = await lockForChange(ctx, commentId)
    return tell(ctx, comment, { isChanged: await removeFlag(ctx, subjectOf(comment)), name: 'didUnflag' })
  })
}

/** Takes everybody's flags away: for those who may delete it. Fails with NOT_FOUND and FORBIDDEN. */
export function clearCommentFlags(ctx: Ctx, { commentId }: ThisComment): Promise<CommentsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const comment = await lockForChange(ctx, commentId)
    if (!comment.mayDelete) throw new DomainError('FORBIDDEN')
    return tell(ctx, comment, { isChanged: await clearFlags(ctx, subjectOf(comment)), name: 'didClearFlag' })
  })
}

export async function isCommentFlaggedByMe(ctx: Ctx, { commentId }: ThisComment): Promise<boolean> {
  await findComment(ctx, commentId)
  return isFlaggedByCaller(ctx, { type: 'comment', id: commentId })
}

function subjectOf({ commentId, communityId }: LockedComment): FlagSubject {
  return { type: 'comment', id: commentId, communityId }
}

async function tell(
  ctx: Ctx,
  comment: LockedComment,
  { isChanged, name }: { isChanged: boolean; name: 'didFlag' | 'didUnflag' | 'didClearFlag' },
): Promise<CommentsEnvelope> {
  if (isChanged) {
    await markFlagged(ctx, comment)
    await tellComment(ctx, {
      comment,
      envelope: await answerEveryone(ctx, [comment.commentId]),
      name: `v3.comment.${name}`,
      deskName: `desk.comment.${name}`,
    })
  }
  return answerComments(ctx, [comment.commentId])
}
