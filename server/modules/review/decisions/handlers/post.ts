import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockHeldItem } from '#server/modules/content/items/lock-items.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { countPost } from '#server/modules/content/posts/count-post.ts'
import { type LockedPost, lockPost } from '#server/modules/content/posts/lock-post.ts'
import { postPayload } from '#server/modules/content/posts/post-payload.ts'
import { findFeed } from '#server/modules/content/posts/read-feeds.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import type {
  ReviewHandler,
  ReviewItem,
  ReviewState,
  Transition,
  TransitionResult,
} from '#server/modules/review/decisions/handlers/handler.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'

type HeldPost = ReviewItem & LockedPost

const FEED = { waiting: 'reviewing', approved: 'published', rejected: 'declined' } as const satisfies Record<
  ReviewState<HeldOutcome>,
  string
>

const EVENT = { approved: 'v3.post.didApprove', rejected: 'v3.post.didDecline' } as const

/** A post held by its community; it moves from feed to feed with its attachments. */
export const postHandler: ReviewHandler<HeldPost, HeldOutcome> = {
  kind: 'held',
  lock,
  move,
  toAuditState: (state) => ({ feedType: FEED[state] }),
  publish: async (ctx, { subjectId, communityId }, outcome) => {
    const payload = await postPayload(ctx, subjectId, { isDecision: true })
    return { event: { name: EVENT[outcome], subjectType: 'post', subjectId, communityId, payload } }
  },
}

async function lock(ctx: Ctx, postId: string): Promise<HeldPost> {
  const post = await lockPost(ctx, postId)
  // Attachments are decided together with their post.
  if (post.parentPostId !== null) throw new DomainError('FORBIDDEN')
  return {
    ...post,
    authorId: post.postedUserId,
    ...(await lockHeldItem(ctx, 'post', postId)),
  }
}

interface MovedPost extends TransitionResult {
  communityId: string | null
  feedId: string | null
  feedType: 'reviewing' | 'published' | 'declined'
  /** The post and its flagged attachments. */
  flaggedIds: string[]
}

async function move(
  ctx: Ctx,
  held: HeldPost,
  { from, to }: Transition<HeldOutcome>,
): Promise<TransitionResult | undefined> {
  const feedType = FEED[to]
  const feedId = await findFeed(
    ctx,
    { targetType: held.targetType, targetId: held.communityId ?? held.targetId ?? '' },
    feedType,
  )
  const moved = await queryOne<MovedPost>(
    ctx,
    sql`
    with moved as (
      update post set feed_type = ${feedType}::feed_type, feed_id = ${feedId}, version = version + 1, updated_at = ${ctx.now()},
        queued_at = coalesce(queued_at, ${ctx.now()})
      where post_id = ${held.subjectId} and feed_type = ${FEED[from]}::feed_type and not is_deleted and version = ${held.version}
      returning post_id, flag_count, community_id, feed_id, feed_type, version,
        text_digest(data) as text_digest, queued_at as held_at),
    children as (
      update post set feed_type = ${feedType}::feed_type, feed_id = ${feedId}, updated_at = ${ctx.now()}
      from moved where parent_post_id = moved.post_id and post.feed_type = ${FEED[from]}::feed_type
      returning post.post_id, post.flag_count)
    select community_id, feed_id, feed_type, version, text_digest, held_at, array(
      select post_id from (select post_id, flag_count from moved union all select post_id, flag_count from children) both_of
      where flag_count > 0) as flagged_ids
    from moved`,
  )
  if (moved === undefined) return undefined

  await putItems(ctx, 'post', [held.subjectId])
  await countPost(ctx, held, -1)
  await countPost(ctx, moved, 1)
  if (moved.flaggedIds.length > 0 && (from === 'rejected' || to === 'rejected'))
    await keepReports(ctx, 'post', moved.flaggedIds)
  return moved
}
