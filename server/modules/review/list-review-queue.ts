import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, query, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { COMMENT_COLUMNS, type CommentRow, toCommentView } from '#server/modules/comments/view.ts'
import { COMMUNITY_USER_COLUMNS, type CommunityUserRow, toCommunityUserView } from '#server/modules/communities/view.ts'
import { readFiles } from '#server/modules/files/read-files.ts'
import { atMost, hasDates, inOrder, matches } from '#server/modules/review/held.ts'
import type { ReviewQueueAnswer, ReviewQueueQuery } from '#server/modules/review/schema.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/users/view.ts'

/** Replies shown to one held comment. */
const CHILDREN_SHOWN = 100
/** Beyond this many skipped rows the order is read another way. */
const DEEP_SKIP = 1_000

/**
 * INTERFACE.md, endpoint 1: the comments of one community that wait for review, newest request first, by skip and limit.
 * Fails with NOT_FOUND for an unknown community and FORBIDDEN for one the caller does not review.
 */
export async function listReviewQueue(
  ctx: Ctx,
  input: ReviewQueueQuery & { communityId: string },
): Promise<ReviewQueueAnswer> {
  await authorizeReview(ctx, input.communityId)

  const rows = await readPage(ctx, input)
  const childrenOf = Map.groupBy(
    rows.filter((row) => row.isChild),
    (row) => row.parentId,
  )
  const [people, myReactions, files] = await Promise.all([
    readPeople(ctx, input.communityId, rows),
    readMyReactions(ctx, rows),
    readFiles(
      ctx,
      rows.flatMap((row) => row.attachments?.map((attachment) => attachment.fileId) ?? []),
    ),
  ])
  const view = (row: PageRow) =>
    toCommentView(row, {
      children: childrenOf.get(row.commentId)?.map((child) => child.commentId) ?? [],
      myReactions: myReactions.get(row.commentId) ?? [],
    })

  return {
    comments: rows.filter((row) => !row.isChild).map(view),
    commentChildren: rows.filter((row) => row.isChild).map(view),
    communityUsers: people.communityUsers,
    users: people.users,
    files,
  }
}

/** Community reviewers and network moderators only; a known community without the permission is 403, an unknown one 404. */
async function authorizeReview(ctx: Ctx, communityId: string): Promise<void> {
  const community = await queryOne<{ mayReview: boolean }>(
    ctx,
    Prisma.sql`
    select ${mayInCommunity(ctx, 'reviewComments', Prisma.sql`k.community_id`)} as "mayReview"
    from community k where k.community_id = ${communityId} and not k.is_deleted`,
  )
  if (community === undefined) throw new DomainError('NOT_FOUND')
  if (!community.mayReview) throw new DomainError('FORBIDDEN')
}

type PageRow = CommentRow & { isChild: boolean }

/** The page in its order, then the replies to what is on it; uses comment_held or comment_held_by_written, then comment_replies. */
function readPage(
  ctx: Ctx,
  { communityId, options, ...filter }: ReviewQueueQuery & { communityId: string },
): Promise<PageRow[]> {
  const order = inOrder('newest', { hasDates: hasDates(filter), deep: options.skip > DEEP_SKIP })
  return query<PageRow>(
    ctx,
    Prisma.sql`
    with page as materialized (
      select c.comment_id, c.queued_at from comment c
      where c.community_id = ${communityId} and ${matches(filter)}
      order by ${order} ${atMost(options.limit)} ${options.skip > 0 ? Prisma.sql`offset ${options.skip}` : Prisma.empty})
    select ${COMMENT_COLUMNS}, false as "isChild", page.queued_at as page_time, page.comment_id as page_id
    from page join comment c on c.comment_id = page.comment_id join network_user u on u.user_id = c.user_id
    union all
    select ${COMMENT_COLUMNS}, true, page.queued_at, page.comment_id
    from page cross join lateral (
      select * from comment child where child.parent_id = page.comment_id and not child.is_deleted
      order by child.created_at, child.comment_id ${atMost(CHILDREN_SHOWN)}) c
    join network_user u on u.user_id = c.user_id
    order by "isChild", page_time desc, page_id, "createdAt", "commentId"`,
  )
}

/** The authors, and what they are in this community. */
async function readPeople(ctx: Ctx, communityId: string, rows: PageRow[]) {
  const userIds = [...new Set(rows.map((row) => row.userId))]
  if (userIds.length === 0) return { users: [], communityUsers: [] }

  const [users, communityUsers] = await Promise.all([
    query<UserRow>(ctx, Prisma.sql`select ${USER_COLUMNS} from network_user u where u.user_id = any(${userIds})`),
    query<CommunityUserRow>(
      ctx,
      Prisma.sql`
      select ${COMMUNITY_USER_COLUMNS}
      from community_user cu join community k on k.community_id = cu.community_id join network_user u on u.user_id = cu.user_id
      where cu.community_id = ${communityId} and cu.user_id = any(${userIds})`,
    ),
  ])
  return { users: users.map(toUserView), communityUsers: communityUsers.map(toCommunityUserView) }
}

/** The caller's own reactions, by comment; asked only where there is a caller and anything to find. */
async function readMyReactions(ctx: Ctx, rows: PageRow[]): Promise<Map<string, string[]>> {
  const userId = actingUserId(ctx)
  const reactedTo = rows.filter((row) => row.reactionsCount > 0).map((row) => row.commentId)
  if (userId === undefined || reactedTo.length === 0) return new Map()

  const mine = await query<{ commentId: string; names: string[] }>(
    ctx,
    Prisma.sql`
    select subject_id as "commentId", array_agg(reaction_name order by reaction_name) as names
    from reaction where subject_type = 'comment' and subject_id = any(${reactedTo}) and user_id = ${userId} group by subject_id`,
  )
  return new Map(mine.map((row) => [row.commentId, row.names]))
}
