import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { readReferencedUsers } from '#server/modules/accounts/users/referenced-users.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { findLatestComments } from '#server/modules/content/comments/latest-comments.ts'
import { readFeeds } from '#server/modules/content/posts/read-feeds.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import type { PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { type BesidePost, POST_COLUMNS, type PostRow, toPostView } from '#server/modules/content/posts/view.ts'
import { readMyReactions } from '#server/modules/content/reactions/read-my-reactions.ts'
import { mayReviewContent } from '#server/modules/content/reviewable/reviewable.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'
import { actingRulesOf, reviewReasonsOf } from '#server/modules/rules/judging/review-reasons.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'

/**
 * The envelope of posts that the caller may see, in the order of their ids: their attachments, their latest comments that everyone sees,
 * all users that these refer to, and the communities and feeds they belong to. New ones have no comments.
 */
export async function buildPostsEnvelope(
  ctx: Ctx,
  postIds: string[],
  { reasons = reasonsFor(ctx), isNew = false } = {},
): Promise<PostsEnvelope> {
  const rows = postIds.length === 0 ? [] : await readWithChildren(ctx, postIds, reasons)
  const authorIds = [...new Set(rows.flatMap((row) => [row.postedUserId, row.sharedUserId ?? row.postedUserId]))]
  const [space, people, feeds, myReactions, latest] = await Promise.all([
    answerSpaces(ctx, rows, authorIds),
    readReferencedUsers(ctx, rows),
    readFeeds(ctx, [...new Set(rows.flatMap((row) => row.feedId ?? []))]),
    readMyReactions(
      ctx,
      'post',
      rows.filter((row) => row.reactionsCount > 0).map((row) => row.postId),
    ),
    isNew ? [] : findLatestComments(ctx, postIds),
  ])
  const { comments, users: commenters } = await buildCommentsEnvelope(
    ctx,
    latest.map(({ commentId }) => commentId),
  )
  const users = [...new Map([...people, ...commenters, ...space.users].map((user) => [user.userId, user])).values()]
  const avatars = avatarsOf([...users, ...space.communities, ...space.categories])
  const files = await readFiles(ctx, [...new Set([...rows.flatMap(filesOf), ...avatars])])

  const view = (row: AnsweredRow) =>
    toPostView(ctx, row, {
      children: rows.filter((other) => other.isChild && other.parentPostId === row.postId).map((child) => child.postId),
      comments: latest.filter(({ postId }) => postId === row.postId).map(({ commentId }) => commentId),
      myReactions: myReactions.get(row.postId) ?? [],
      reviewReasons: row.reviewReasons,
    })
  const { communities, communityUsers, categories } = space
  return {
    posts: rows.filter((row) => !row.isChild).map(view),
    postChildren: rows.filter((row) => row.isChild).map(view),
    comments,
    users,
    files,
    communities,
    communityUsers,
    categories,
    feeds,
  }
}

/** The envelope of posts as everyone sees them, for published events; those of decisions name the rules that acted on the posts. */
export function buildPublicPostsEnvelope(
  ctx: Ctx,
  postIds: string[],
  { isDecision = false } = {},
): Promise<PostsEnvelope> {
  const toEveryone: Ctx = { ...ctx, actor: { kind: 'nobody' } }
  return buildPostsEnvelope(toEveryone, postIds, isDecision ? { reasons: actingRulesOf(CONTENT) } : {})
}

type AnsweredRow = PostRow & Pick<BesidePost, 'reviewReasons'> & { isChild: boolean }

const CONTENT = { subjectType: sql`'post'`, subjectId: sql`p.post_id`, editedAt: sql`p.edited_at` }
const ACTION = sql`case p.feed_type when 'reviewing' then 'hold' when 'declined' then 'reject' end`

function reasonsFor(ctx: Ctx): Sql {
  return sql`case when ${mayReviewContent(ctx, reviewablePost)} then ${reviewReasonsOf(CONTENT, ACTION)} end`
}

/** Attachments of one post. */
const CHILDREN_SHOWN = 100

/** Children belong to the feed of their post and are visible with it. Uses post_pkey and post_parent_post_id_idx. */
function readWithChildren(ctx: Ctx, postIds: string[], reasons: Sql): Promise<AnsweredRow[]> {
  return query<AnsweredRow>(
    ctx,
    sql`
    with page as (select * from unnest(${postIds}::text[]) with ordinality as asked(post_id, position))
    select ${POST_COLUMNS}, false as is_child, page.position::int as position,
      ${reasons} as review_reasons
    from page join post p on p.post_id = page.post_id join network_user u on u.user_id = p.posted_user_id
    union all
    select ${POST_COLUMNS}, true, page.position::int, null
    from page join post parent on parent.post_id = page.post_id
    cross join lateral (
      select * from post child where child.parent_post_id = parent.post_id and child.feed_type = parent.feed_type
        and (parent.is_deleted or not child.is_deleted)
      order by child.created_at, child.post_id ${sql.raw(`limit ${CHILDREN_SHOWN}`)}) p
    join network_user u on u.user_id = p.posted_user_id
    order by is_child, position, created_at, post_id`,
  )
}

/** The communities of these posts with their categories, and the memberships of the authors and the caller there. */
async function answerSpaces(ctx: Ctx, rows: PostRow[], authorIds: string[]) {
  const communityIds = [...new Set(rows.flatMap((row) => row.communityId ?? []))]
  if (communityIds.length === 0) return { communities: [], communityUsers: [], categories: [], users: [] }
  return buildCommunitiesEnvelope(ctx, communityIds, [...new Set([...authorIds, ...callerOf(ctx)])])
}

function callerOf(ctx: Ctx): string[] {
  const userId = actingUserId(ctx)
  return userId === undefined ? [] : [userId]
}

/** A file, its preview, and a video in its qualities (docs/interface/posts.md#post). */
function filesOf({ data }: PostRow): string[] {
  const { fileId, thumbnailFileId, videoFileId } = data
  const qualities = typeof videoFileId === 'object' && videoFileId !== null ? Object.values(videoFileId) : []
  return [fileId, thumbnailFileId, ...qualities].filter((id) => typeof id === 'string')
}
