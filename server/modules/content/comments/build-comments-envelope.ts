import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { listOf, query, type Sql, sql } from '#server/core/db.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { readReferencedUsers, referencedUsers } from '#server/modules/accounts/users/referenced-users.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { COMMENT_COLUMNS, type CommentRow, toCommentView } from '#server/modules/content/comments/view.ts'
import { readMyReactions } from '#server/modules/content/reactions/read-my-reactions.ts'
import { mayReviewContent } from '#server/modules/content/reviewable/reviewable.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'
import {
  COMMUNITY_USER_COLUMNS,
  type CommunityUserRow,
  toCommunityUserView,
} from '#server/modules/spaces/communities/view.ts'

/** Replies included with one comment. */
export const CHILDREN_SHOWN = 100

/**
 * The envelope of comments that the caller may see, in the order of their ids: the replies to them that the caller sees too, all users that
 * either refers to, and the authors' memberships in the communities.
 */
export async function buildCommentsEnvelope(ctx: Ctx, commentIds: string[]): Promise<CommentsEnvelope> {
  return toEnvelope(ctx, commentIds.length === 0 ? [] : firstReplies(await readWithReplies(ctx, commentIds)))
}

/** One comment as everyone sees it, and as the caller does, read once for both. */
export async function answerBoth(
  ctx: Ctx,
  commentId: string,
): Promise<{ everyone: CommentsEnvelope; caller: CommentsEnvelope }> {
  const rows = await readWithReplies(ctx, [commentId])
  const named = await readNamed(ctx, rows)
  const isPublic = ({ isChild, approvalStatus }: EnvelopeRow) => !isChild || approvalStatus !== 'pending'
  return {
    everyone: build(ctx, firstReplies(rows.filter(isPublic)), { ...named, myReactions: new Map() }),
    caller: build(ctx, firstReplies(rows), named),
  }
}

/** The same as everyone sees it: published events never contain anything pending. */
export function buildPublicCommentsEnvelope(ctx: Ctx, commentIds: string[]): Promise<CommentsEnvelope> {
  return buildCommentsEnvelope({ ...ctx, actor: { kind: 'nobody' } }, commentIds)
}

/** A comment, or a reply to one. */
export type EnvelopeRow = CommentRow & { isChild: boolean }

/**
 * Public replies are read along comment_public_replies, pending ones along comment_replies where the caller reviews, and the caller's own
 * along comment_held_of_author: no walk passes rows that the caller may not see. The plan is cached: no value that the planner sees makes
 * another one better.
 */
function readWithReplies(ctx: Ctx, commentIds: string[]): Promise<EnvelopeRow[]> {
  const isReply = sql`c.parent_id = page.comment_id and not c.is_deleted`
  const oldestFirst = sql`order by c.created_at, c.comment_id ${sql.raw(`limit ${CHILDREN_SHOWN}`)}`
  const own = ownReplies(ctx, commentIds)
  return query<EnvelopeRow>(
    ctx,
    sql`
    with page as materialized (
      select asked.comment_id, asked.position::int, ${mayReviewContent(ctx, reviewableComment)} as is_reviewed
      from unnest(${listOf(commentIds)}) with ordinality as asked(comment_id, position)
      join comment c on c.comment_id = asked.comment_id)${own.table}
    select ${COMMENT_COLUMNS}, false as "isChild", page.position
    from page join comment c on c.comment_id = page.comment_id join network_user u on u.user_id = c.user_id
    union all
    select ${COMMENT_COLUMNS}, true, page.position
    from page cross join lateral (
      select * from (
        (select * from comment c where ${isReply} and ${reviewableComment.isPublic} ${oldestFirst})
        union all
        (select * from comment c where page.is_reviewed and ${isReply} and c.approval_status = 'pending' ${oldestFirst})
        ${own.rows(oldestFirst)}) c) c
    join network_user u on u.user_id = c.user_id
    order by "isChild", position, "createdAt", "commentId"`,
  )
}

/** For a caller who is a user: their own pending replies, in communities they do not review. */
function ownReplies(ctx: Ctx, commentIds: string[]): { table: Sql; rows: (oldestFirst: Sql) => Sql } {
  const userId = actingUserId(ctx)
  if (userId === undefined) return { table: sql.empty, rows: () => sql.empty }
  return {
    table: sql`,
    own as materialized (
      select * from comment c
      where c.user_id = (select ${userId}::text) and c.approval_status = 'pending' and not c.is_deleted
        -- Worded so that only the author's index serves it.
        and c.parent_id || '' = any(${listOf(commentIds)}))`,
    rows: (oldestFirst) => sql`
        union all
        (select * from own c where not page.is_reviewed and c.parent_id = page.comment_id ${oldestFirst})`,
  }
}

/** The oldest replies of each comment: that many of the public ones and that many of the pending ones are read. */
function firstReplies(rows: EnvelopeRow[]): EnvelopeRow[] {
  const shown = new Map<string | null, number>()
  return rows.filter(({ isChild, parentId }) => {
    if (!isChild) return true
    const count = (shown.get(parentId) ?? 0) + 1
    shown.set(parentId, count)
    return count <= CHILDREN_SHOWN
  })
}

/** Reads what these rows refer to, once for all of them. */
export async function toEnvelope(ctx: Ctx, rows: EnvelopeRow[]): Promise<CommentsEnvelope> {
  return build(ctx, rows, await readNamed(ctx, rows))
}

type Named = Awaited<ReturnType<typeof readNamed>>

async function readNamed(ctx: Ctx, rows: EnvelopeRow[]) {
  const [users, communityUsers, myReactions] = await Promise.all([
    readReferencedUsers(ctx, rows),
    readMemberships(ctx, rows),
    readMyReactions(
      ctx,
      'comment',
      rows.filter((row) => row.reactionsCount > 0).map((row) => row.commentId),
    ),
  ])
  return { users, communityUsers, myReactions, files: await readFiles(ctx, fileIdsIn(rows, users)) }
}

function fileIdsIn(rows: EnvelopeRow[], users: User[]): string[] {
  const attached = rows.flatMap((row) => row.attachments?.map((attachment) => attachment.fileId) ?? [])
  return [...new Set([...attached, ...avatarsOf(users)])]
}

/** The envelope of these rows, from data that was read for them and possibly for more. */
function build(ctx: Ctx, rows: EnvelopeRow[], named: Named): CommentsEnvelope {
  const childrenOf = Map.groupBy(
    rows.filter((row) => row.isChild),
    (row) => row.parentId,
  )
  const view = (row: EnvelopeRow) =>
    toCommentView(ctx, row, {
      children: childrenOf.get(row.commentId)?.map((child) => child.commentId) ?? [],
      myReactions: named.myReactions.get(row.commentId) ?? [],
    })
  const users = referencedUsers(named.users, rows)
  const wroteIn = new Set(rows.map(({ communityId, userId }) => `${communityId} ${userId}`))
  const fileIds = new Set(fileIdsIn(rows, users))

  return {
    comments: rows.filter((row) => !row.isChild).map(view),
    commentChildren: rows.filter((row) => row.isChild).map(view),
    communityUsers: named.communityUsers.filter(({ communityId, userId }) => wroteIn.has(`${communityId} ${userId}`)),
    users,
    files: named.files.filter(({ fileId }) => fileIds.has(fileId)),
  }
}

/** Each author's membership in the community they wrote in. */
async function readMemberships(ctx: Ctx, rows: EnvelopeRow[]) {
  const inCommunity = rows.flatMap(({ userId, communityId }) => (communityId === null ? [] : [{ userId, communityId }]))
  if (inCommunity.length === 0) return []
  const memberships = await query<CommunityUserRow>(
    ctx,
    sql`
    select ${COMMUNITY_USER_COLUMNS}
    from (
      select distinct * from unnest(${listOf(inCommunity.map((row) => row.communityId))}, ${listOf(inCommunity.map((row) => row.userId))})
        as wrote(community_id, user_id)) wrote
    join community_user cu on cu.community_id = wrote.community_id and cu.user_id = wrote.user_id
    join community k on k.community_id = cu.community_id join network_user u on u.user_id = cu.user_id`,
  )
  return memberships.map(toCommunityUserView)
}
