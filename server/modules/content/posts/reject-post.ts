import type { Ctx } from '#server/core/ctx.ts'
import type { LockedPost } from '#server/modules/content/posts/lock-post.ts'
import { movePost } from '#server/modules/content/posts/move-post.ts'
import { publishPost } from '#server/modules/content/posts/post-event.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { recordRejection } from '#server/modules/content/reviewable/record-change.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import type { Judgement } from '#server/modules/rules/judging/judge-content.ts'
import { publishMatch } from '#server/modules/rules/judging/publish-match.ts'

/**
 * Rejects a published or pending post with its attachments, as live rules say; `write` gives its row the next version. Others learn of it as
 * of a rejection by people.
 */
export async function rejectPost(
  ctx: Ctx,
  post: LockedPost,
  judgement: Judgement,
  write: () => Promise<void>,
): Promise<void> {
  const flagged = await movePost(ctx, post, 'declined')
  await write()
  if (flagged.length > 0) await keepReports(ctx, 'post', flagged)
  await publishRejection(ctx, { ...post, version: post.version + 1 }, judgement, { feedType: post.feedType })
}

/** Logs and publishes that rules rejected a post, which is stored as such. */
export async function publishRejection(
  ctx: Ctx,
  post: Pick<LockedContent, 'subjectId' | 'communityId' | 'version'>,
  judgement: Judgement,
  before?: Record<string, unknown>,
): Promise<void> {
  await recordRejection(ctx, 'post', post, { before, after: { feedType: 'declined' }, judgement })
  const change = { name: 'v3.post.didDecline', deskName: 'desk.post.didWithdraw' } as const
  await publishPost(ctx, { ...post, isPublic: true }, change)
  const { subjectId: id, communityId } = post
  await publishMatch(ctx, { type: 'post', id, communityId }, judgement.rejecting)
}
