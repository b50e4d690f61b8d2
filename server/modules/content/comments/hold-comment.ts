import type { Ctx } from '#server/core/ctx.ts'
import { buildPublicCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { publishComment } from '#server/modules/content/comments/comment-event.ts'
import { countVisible } from '#server/modules/content/comments/count-visible.ts'
import type { LockedComment } from '#server/modules/content/comments/lock-comment.ts'
import { publishHold } from '#server/modules/content/reviewable/publish-hold.ts'
import { recordHold } from '#server/modules/content/reviewable/record-change.ts'
import { type Judgement, rulesOf } from '#server/modules/rules/judging/judge-content.ts'

/**
 * Makes a public comment wait for review again, as live rules say; `write` changes its row. Others learn that it is gone, with its text
 * before that; desks learn that it is held.
 */
export async function holdComment(
  ctx: Ctx,
  comment: LockedComment,
  judgement: Judgement,
  write: () => Promise<void>,
): Promise<void> {
  const envelope = await buildPublicCommentsEnvelope(ctx, [comment.subjectId])
  await write()
  await countVisible(ctx, comment, -1)
  await recordHold(ctx, 'comment', comment, {
    before: { ...(comment.approvalStatus && { approvalStatus: comment.approvalStatus }) },
    after: { approvalStatus: 'pending', ...rulesOf(judgement.holding) },
  })
  await publishComment(ctx, comment, { name: 'v3.comment.didDelete', deskName: 'desk.comment.didHold', envelope })
  await publishHold(ctx, 'comment', comment, judgement)
}
