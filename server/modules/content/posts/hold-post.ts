import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import type { LockedPost } from '#server/modules/content/posts/lock-post.ts'
import { movePost } from '#server/modules/content/posts/move-post.ts'
import { publishPost } from '#server/modules/content/posts/post-event.ts'
import { publishHold } from '#server/modules/content/reviewable/publish-hold.ts'
import { recordHold } from '#server/modules/content/reviewable/record-change.ts'
import { type Judgement, rulesOf } from '#server/modules/rules/judging/judge-content.ts'

/**
 * Makes a published post wait for review again with its attachments, as live rules say; `write` gives its row the next version. Others learn
 * that it is gone, with its text before that; desks learn that it is held.
 */
export async function holdPost(
  ctx: Ctx,
  post: LockedPost,
  judgement: Judgement,
  write: () => Promise<void>,
): Promise<void> {
  await publishPost(ctx, post, { name: 'v3.post.didDelete', deskName: 'desk.post.didHold' })
  await movePost(ctx, post, 'reviewing', sql`, queued_at = ${ctx.now()}`)
  await write()
  const rules = rulesOf(judgement.holding)
  await recordHold(ctx, 'post', post, {
    before: { feedType: 'published' },
    after: { feedType: 'reviewing', ...rules },
  })
  await publishHold(ctx, 'post', post, judgement)
}
