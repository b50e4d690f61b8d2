import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { countPost } from '#server/modules/content/posts/count-post.ts'
import type { LockedPost } from '#server/modules/content/posts/lock-post.ts'
import { publishPost } from '#server/modules/content/posts/post-event.ts'
import { findFeed } from '#server/modules/content/posts/read-feeds.ts'
import { recordHold } from '#server/modules/content/reviewable/record-change.ts'
import { type Judgement, ruleMinutes, rulesOf } from '#server/modules/rules/judging/judge-content.ts'

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
  const deskName = 'desk.post.didHold'
  await publishPost(ctx, post, { name: 'v3.post.didDelete', deskName })
  const { targetType, communityId, targetId } = post
  const feedId = await findFeed(ctx, { targetType, targetId: communityId ?? targetId ?? '' }, 'reviewing')
  await execute(
    ctx,
    sql`
    update post set feed_type = 'reviewing', feed_id = ${feedId}, queued_at = ${ctx.now()},
      rule_minutes = ${ruleMinutes(judgement, { isNewlyHeld: true })}, updated_at = ${ctx.now()}
    where (post_id = ${post.subjectId} or parent_post_id = ${post.subjectId}) and feed_type = 'published'`,
  )
  await countPost(ctx, post, -1)
  await countPost(ctx, { ...post, feedId, feedType: 'reviewing' }, 1)
  await write()
  const rules = rulesOf(judgement)
  await recordHold(ctx, 'post', post, {
    before: { feedType: 'published' },
    after: { feedType: 'reviewing', ...rules },
  })
  await publishPost(ctx, { ...post, isPublic: false }, { name: 'v3.post.didUpdate', deskName, atDesk: rules })
}
