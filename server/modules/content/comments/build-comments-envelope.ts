import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { listOf, type Sql, sql } from '#server/core/db.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { referencedUsers } from '#server/modules/accounts/users/referenced-users.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import { toUserView } from '#server/modules/accounts/users/view.ts'
import { placeOf } from '#server/modules/content/comments/comment-places.ts'
import {
  type EnvelopeRow,
  type FoundComments,
  findComments,
  NO_COMMENTS,
  type ReferredTo,
} from '#server/modules/content/comments/find-comments.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { toCommentView } from '#server/modules/content/comments/view.ts'
import { IS_HELD, isOfType } from '#server/modules/content/items/held.ts'
import { isContentVisible, mayReviewContent } from '#server/modules/content/reviewable/reviewable.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import { toFileView } from '#server/modules/media/files/view.ts'
import type { CommunityUser } from '#server/modules/spaces/communities/schema.ts'
import { toCommunityUserView } from '#server/modules/spaces/communities/view.ts'

/** Replies included with one comment. */
export const CHILDREN_SHOWN = 100

/**
 * The envelope of comments that the caller may see, in the order of their ids: the replies to them that the caller sees too, all users that
 * either refers to, and the authors' memberships in the communities.
 */
export async function buildCommentsEnvelope(ctx: Ctx, commentIds: string[]): Promise<CommentsEnvelope> {
  return toEnvelope(ctx, commentIds.length === 0 ? NO_COMMENTS : await readWithReplies(ctx, commentIds))
}

/** The envelope of a comment that was written in this transaction: nobody has replied to it. */
export async function buildNewComment(ctx: Ctx, commentId: string): Promise<CommentsEnvelope> {
  const tables = sql`page as materialized (${pageOf(ctx, [commentId])})`
  return toEnvelope(ctx, await findComments(ctx, { tables, replies: sql`select * from comment c where false` }))
}

/** The envelope of one comment if the caller may see it. */
export async function readVisibleComment(ctx: Ctx, commentId: string): Promise<CommentsEnvelope> {
  return toEnvelope(ctx, await readWithReplies(ctx, [commentId], isContentVisible(ctx, reviewableComment)))
}

interface Views {
  everyone: CommentsEnvelope
  caller: CommentsEnvelope
}

/** One comment as everyone sees it, and as the caller does, read once for both. */
export async function answerBoth(ctx: Ctx, commentId: string): Promise<Views> {
  return viewsOf(ctx, await readWithReplies(ctx, [commentId]))
}

/** These comments as everyone sees them, and as the caller does: built once where both see the same. */
export function viewsOf(ctx: Ctx, found: FoundComments): Views {
  const shared = withoutPrivate(found)
  const everyone = toEnvelope(ctx, shared)
  return { everyone, caller: shared === found ? everyone : toEnvelope(ctx, found) }
}

/** What everyone sees of it: neither pending replies, nor why rules held or rejected something, nor the caller's reactions. */
function withoutPrivate(found: FoundComments): FoundComments {
  const isPrivate = ({ isChild, approvalStatus }: EnvelopeRow) => isChild && approvalStatus === 'pending'
  const { rows, named } = found
  const hasPrivate =
    rows.some((row) => isPrivate(row) || row.reviewReasons) || Object.keys(named.myReactions).length > 0
  if (!hasPrivate) return found
  const shown = rows.filter((row) => !isPrivate(row)).map((row) => ({ ...row, reviewReasons: null }))
  return { rows: shown, named: { ...named, myReactions: {} } }
}

/** The envelope of comments as everyone sees them: published events never contain anything pending. */
export function buildPublicCommentsEnvelope(ctx: Ctx, commentIds: string[]): Promise<CommentsEnvelope> {
  return buildCommentsEnvelope({ ...ctx, actor: { kind: 'nobody' } }, commentIds)
}

/**
 * Public replies are read along comment_public_replies, pending ones along comment_replies where the caller reviews, and the caller's own
 * along review_item_of_author: no walk passes rows that the caller may not see. The plan is cached: no value that the planner sees makes
 * another one better.
 */
function readWithReplies(ctx: Ctx, commentIds: string[], condition = sql`true`): Promise<FoundComments> {
  const own = ownReplies(ctx, commentIds)
  const tables = sql`page as materialized (${pageOf(ctx, commentIds)} where ${condition})${own.table}`
  return findComments(ctx, { tables, replies: sql`${REPLIES} ${own.rows}` })
}

function pageOf(ctx: Ctx, commentIds: string[]): Sql {
  return sql`
    select asked.position, ${mayReviewContent(ctx, reviewableComment)} as is_reviewed, c.*
    from unnest(${listOf(commentIds)}) with ordinality as asked(comment_id, position)
    join comment c on c.comment_id = asked.comment_id left join community k on k.community_id = c.community_id`
}

const OLDEST_FIRST = sql`order by c.created_at, c.comment_id ${sql.raw(`limit ${CHILDREN_SHOWN}`)}`
const IS_REPLY = sql`c.parent_id = page.comment_id and not c.is_deleted`

/** Replies to the comment in the row of `page` that everyone sees, and those that reviewers see. */
export const REPLIES = sql`
  (select * from comment c where ${IS_REPLY} and ${reviewableComment.isPublic} ${OLDEST_FIRST})
  union all
  (select * from comment c where page.is_reviewed and ${IS_REPLY} and c.approval_status = 'pending' ${OLDEST_FIRST})`

/** For a caller who is a user: their own pending replies, in communities they do not review. */
function ownReplies(ctx: Ctx, commentIds: string[]): { table: Sql; rows: Sql } {
  const userId = actingUserId(ctx)
  if (userId === undefined) return { table: sql.empty, rows: sql.empty }
  return {
    table: sql`,
    own as materialized (
      select c.* from review_item i join comment c on c.comment_id = i.subject_id
      where i.author_id = (select ${userId}::text) and ${isOfType('comment')} and ${IS_HELD}
        -- Worded so that only the author's index serves it.
        and c.parent_id || '' = any(${listOf(commentIds)}))`,
    rows: sql`
        union all
        (select * from own c where not page.is_reviewed and c.parent_id = page.comment_id ${OLDEST_FIRST})`,
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

/** The envelope of these comments as the caller sees them. */
export function toEnvelope(ctx: Ctx, { rows, named }: FoundComments): CommentsEnvelope {
  return build(ctx, firstReplies(rows), named)
}

/** The envelope of these rows, from data that was read for them and possibly for more. */
function build(ctx: Ctx, rows: EnvelopeRow[], named: ReferredTo): CommentsEnvelope {
  const childrenOf = Map.groupBy(
    rows.filter((row) => row.isChild),
    (row) => row.parentId,
  )
  const othersInternalIds = new Map(named.users.map(({ userId, userInternalId }) => [userId, userInternalId]))
  const view = (row: EnvelopeRow) =>
    toCommentView(ctx, row, {
      userInternalId: row.author.internalId,
      place: placeOf(row, named, (userId) => othersInternalIds.get(userId)),
      childrenNumber: named.childrenNumbers.get(row.commentId) ?? 0,
      children: childrenOf.get(row.commentId)?.map((child) => child.commentId) ?? [],
      myReactions: named.myReactions[row.commentId] ?? [],
      reviewReasons: row.reviewReasons,
    })
  const authors = [...new Map(rows.map(({ author }) => [author.userId, author])).values()]
  const users = referencedUsers([...authors.map((author) => toUserView(ctx, author)), ...named.users], rows)

  return {
    comments: rows.filter((row) => !row.isChild).map(view),
    commentChildren: rows.filter((row) => row.isChild).map(view),
    communityUsers: membershipsOf(rows, named),
    users,
    files: filesOf(rows, users, named),
  }
}

/** Each author's membership in each community they wrote in. */
function membershipsOf(rows: EnvelopeRow[], { communities }: ReferredTo): CommunityUser[] {
  const memberships = new Map<string, CommunityUser>()
  for (const { membership, author } of rows) {
    if (membership === null) continue
    const key = `${membership.communityId} ${membership.userId}`
    if (memberships.has(key)) continue
    const channelId = communities?.[membership.communityId]?.channelId ?? null
    memberships.set(key, toCommunityUserView({ ...membership, userInternalId: author.internalId, channelId }))
  }
  return [...memberships.values()]
}

/** What is attached, and everyone's avatar, by their ids. */
function filesOf(rows: EnvelopeRow[], users: User[], named: ReferredTo): File[] {
  const avatars = rows.flatMap(({ avatar }) => (avatar === null ? [] : toFileView(avatar)))
  const known = new Map([...avatars, ...named.files].map((file) => [file.fileId, file]))
  const attached = rows.flatMap((row) => row.attachments?.map((attachment) => attachment.fileId) ?? [])
  const fileIds = [...new Set([...attached, ...avatarsOf(users)])].toSorted()
  return fileIds.flatMap((fileId) => known.get(fileId ?? '') ?? [])
}
