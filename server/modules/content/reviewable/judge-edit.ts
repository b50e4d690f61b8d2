import type { Ctx } from '#server/core/ctx.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { type Judgement, judgeContent, type NewContent, UNJUDGED } from '#server/modules/rules/judging/judge-content.ts'

/**
 * What rules say of content as its author is about to change it: by the author as they were when they wrote it. Rules don't judge what a
 * reviewer of the community writes, nor what others change in it.
 */
export async function judgeEdit(
  ctx: Ctx,
  { isOwn, mayReview, communityId, rules, authorId, subjectId, createdAt }: LockedContent,
  changed: Pick<NewContent, 'kind' | 'data' | 'mentions' | 'media'>,
): Promise<Judgement> {
  if (!isOwn || mayReview) return UNJUDGED
  return judgeContent(ctx, { ...changed, communityId, rules, authorId, subjectId, writtenAt: createdAt })
}
