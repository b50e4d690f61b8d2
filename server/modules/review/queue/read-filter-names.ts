import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { excerptOf } from '#server/core/excerpt.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import { titleOf } from '#server/modules/review/queue/queue-item.ts'
import { reviewedSpaces, reviewsIn, reviewsSomewhere } from '#server/modules/review/queue/reviewed-spaces.ts'
import type { DeskQueueInput, QueueItem, QueuePage } from '#server/modules/review/queue/schema.ts'

/**
 * The names behind the filter's ids; posts and people are named only as far as the caller reviews them. An item of the page names the
 * community; where there is none, it is looked up.
 */
export async function readFilterNames(
  ctx: Ctx,
  filter: DeskQueueInput,
  item: QueueItem | undefined,
): Promise<QueuePage['narrowedTo']> {
  const { communityId, postId, authorId, ruleId } = filter
  const [community, post, author, rule] = await Promise.all([
    communityId === undefined ? undefined : (item?.community ?? readReviewedName(ctx, communityId)),
    postId === undefined ? undefined : readPostName(ctx, postId),
    authorId === undefined ? undefined : readAuthorName(ctx, authorId),
    ruleId === undefined ? undefined : readRuleName(ctx, ruleId),
  ])
  return { ...(community && { community }), ...(post && { post }), ...(author && { author }), ...(rule && { rule }) }
}

/** Fails with NOT_FOUND for an unknown community, FORBIDDEN for one the caller does not review. */
async function readReviewedName(ctx: Ctx, communityId: string) {
  const [space] = await reviewedSpaces(ctx, communityId)
  return space && { communityId, displayName: space.displayName }
}

async function readPostName(ctx: Ctx, postId: string) {
  const post = await queryOne<{ data: Record<string, unknown> | null }>(
    ctx,
    sql`
    select data from post where post_id = ${postId}
      and ${mayInCommunity(ctx, 'reviewComments', sql`post.community_id`)}`,
  )
  return post && { postId, title: excerptOf(titleOf(post) ?? textOf(post)) ?? postId }
}

async function readAuthorName(ctx: Ctx, userId: string) {
  const author = await queryOne<{ userId: string; displayName: string | null }>(
    ctx,
    sql`
    select u.user_id, u.display_name from network_user u
    where u.user_id = ${userId} and (
      exists (select from comment c where c.user_id = u.user_id and c.approval_status is not null
        and ${mayInCommunity(ctx, 'reviewComments', sql`c.community_id`)})
      or exists (select from post p where p.posted_user_id = u.user_id
        and ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}))`,
  )
  return author && { userId, displayName: nameOf(author) }
}

/** Reviewers know the rules that hold items in their communities; those of the network hold them everywhere. */
function readRuleName(ctx: Ctx, ruleId: string) {
  return queryOne<{ ruleId: string; name: string }>(
    ctx,
    sql`
    select r.rule_id, r.name from rule r
    where r.rule_id = ${ruleId} and case when r.community_id is null then ${reviewsSomewhere(ctx)}
      else ${reviewsIn(ctx, sql`r.community_id`)} end`,
  )
}
