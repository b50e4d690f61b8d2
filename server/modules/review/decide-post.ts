import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import { recordEvent } from '#server/modules/events/record-event.ts'
import { answerPosts } from '#server/modules/posts/answer-posts.ts'
import { countPost } from '#server/modules/posts/count-post.ts'
import { type LockedPost, lockPost } from '#server/modules/posts/lock-post.ts'
import { findFeed } from '#server/modules/posts/read-feeds.ts'
import type { PostsEnvelope } from '#server/modules/posts/schema.ts'
import { toldOfPost } from '#server/modules/posts/told-of-post.ts'
import { recordDecision, refuseAsChanged } from '#server/modules/review/record-decision.ts'
import type { DecidePost, Outcome } from '#server/modules/review/schema.ts'

const FEED_OF = { approved: 'published', rejected: 'declined' } as const satisfies Record<Outcome, string>
const EVENT_OF: Record<Outcome, string> = { approved: 'v3.post.didApprove', rejected: 'v3.post.didDecline' }

/**
 * Publishes a post that waits, or declines it: it moves on to that feed with what is attached to it. Fails with NOT_FOUND for one
 * the caller may not know of, FORBIDDEN for one that is not theirs to decide or that they wrote, CHANGED where it waits no longer
 * or was edited.
 */
export function decidePost(ctx: Ctx, input: DecidePost): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const post = await lockPost(ctx, input.postId)
    if (!post.mayReview || post.postedUserId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
    // What is attached to a post is decided with it.
    if (post.parentPostId !== null) throw new DomainError('FORBIDDEN')

    const settled = await settle(ctx, post, input)
    await countPost(ctx, post, -1)
    await countPost(ctx, settled, 1)
    const subject = { subjectType: 'post', subjectId: post.postId, communityId: post.communityId } as const
    await recordAudit(ctx, {
      ...subject,
      action: `post.${input.outcome}`,
      before: { feedType: post.feedType, version: post.version },
      after: { feedType: settled.feedType, version: settled.version },
      text: input.reason,
    })
    const event = await recordEvent(ctx, {
      ...subject,
      name: EVENT_OF[input.outcome],
      payload: await toldOfPost(ctx, post.postId),
      holdForMs: ctx.undoWindowMs,
    })
    await recordDecision(ctx, {
      ...subject,
      authorId: post.postedUserId,
      outcome: input.outcome,
      reason: input.reason,
      version: settled.version,
      eventId: event.eventId,
    })
    return answerPosts(ctx, [post.postId])
  })
}

interface Settled {
  communityId: string | null
  feedId: string | null
  feedType: 'published' | 'declined'
  version: number
}

/** Compare-and-set on feed and version: of two reviewers deciding at once, the second learns the first one's decision. */
async function settle(ctx: Ctx, post: LockedPost, { outcome, version }: DecidePost): Promise<Settled> {
  const feedType = FEED_OF[outcome]
  const feedId = await findFeed(
    ctx,
    { targetType: post.targetType, targetId: post.communityId ?? post.targetId ?? '' },
    feedType,
  )
  const settled = await queryOne<Settled>(
    ctx,
    Prisma.sql`
    with settled as (
      update post set feed_type = ${feedType}::feed_type, feed_id = ${feedId}, version = version + 1, updated_at = ${ctx.now()}
      where post_id = ${post.postId} and feed_type = 'reviewing' and not is_deleted and version = ${version ?? post.version}
      returning post_id, community_id as "communityId", feed_id as "feedId", feed_type as "feedType", version),
    children as (
      update post set feed_type = ${feedType}::feed_type, feed_id = ${feedId}, updated_at = ${ctx.now()}
      from settled where parent_post_id = settled.post_id and post.feed_type = 'reviewing')
    select "communityId", "feedId", "feedType", version from settled`,
  )
  return settled ?? refuseAsChanged(ctx, { subjectType: 'post', subjectId: post.postId, version: post.version })
}
