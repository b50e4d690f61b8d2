import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { excerptOf, LONG_EXCERPT_LENGTH } from '#server/core/excerpt.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'
import type { Quoted, ReviewItem } from '#server/modules/review/items/schema.ts'
import { titleOf } from '#server/modules/review/queue/queue-item.ts'

/** The space of a held item. */
interface Standing {
  subjectType: SubjectType
  subjectId: string
  parentId: string | null
  postId: string | null
  communityId: string
}

export interface QuotedRow {
  id: string
  userId: string
  displayName: string | null
  data: Record<string, unknown> | null
  createdAt: Date
  approvalStatus: Quoted['approvalStatus'] | null
  isDeleted: boolean
}

/** How much of what is around an item is sent before somebody asks for all of it. */
const QUOTED_LENGTH = 480

export interface QuotesWanted {
  areQuotesWhole?: boolean | undefined
}

export function toQuoted(row: QuotedRow, { areQuotesWhole = false }: QuotesWanted): Quoted {
  const text = textOf(row)
  const shown = areQuotesWhole ? text : (excerptOf(text, QUOTED_LENGTH) ?? '')
  return {
    id: row.id,
    authorName: nameOf(row),
    text: shown,
    ...(shown.length < text.trim().length && { isCut: true }),
    writtenAt: timestampOf(row.createdAt),
    ...(row.approvalStatus && { approvalStatus: row.approvalStatus }),
    isDeleted: row.isDeleted,
  }
}

/** What `toQuoted` reads from `comment c` and its author `network_user u`. */
export const QUOTED_COMMENT = sql`
  c.comment_id as id, c.user_id, u.display_name, c.data, c.created_at,
  c.approval_status, c.is_deleted`

/** The parent comment, if it is in the same community. */
export async function readParent(
  ctx: Ctx,
  { parentId, communityId }: Standing,
  wanted: QuotesWanted,
): Promise<Quoted | undefined> {
  if (parentId === null) return undefined
  const parent = await queryOne<QuotedRow>(
    ctx,
    sql`
    select ${QUOTED_COMMENT} from comment c join network_user u on u.user_id = c.user_id
    where c.comment_id = ${parentId} and c.community_id = ${communityId}`,
  )
  return parent && toQuoted(parent, wanted)
}

/** The post that a comment belongs to. */
export async function readPost(
  ctx: Ctx,
  { postId, communityId }: Standing,
  wanted: QuotesWanted,
): Promise<ReviewItem['post']> {
  if (postId === null) return undefined
  const post = await queryOne<QuotedRow>(
    ctx,
    sql`
    select p.post_id as id, p.posted_user_id as user_id, u.display_name, p.data, p.created_at,
      null as approval_status, p.is_deleted
    from post p join network_user u on u.user_id = p.posted_user_id
    where p.post_id = ${postId} and p.community_id = ${communityId}`,
  )
  if (post === undefined) return undefined
  const title = excerptOf(titleOf(post) ?? '', LONG_EXCERPT_LENGTH)
  return { ...toQuoted(post, wanted), ...(title !== undefined && { title }) }
}

/** The highest number of replies that is counted: enough to show that there are many. */
const REPLIES_COUNTED = 1_000

/** Replies to a comment, or comments on a post. Uses comment_replies or comment_on_reference. */
export async function readReplies(ctx: Ctx, { subjectType, subjectId }: Standing): Promise<ReviewItem['replies']> {
  const isReply =
    subjectType === 'comment'
      ? sql`parent_id = ${subjectId}`
      : sql`reference_id = ${subjectId} and reference_type = 'post'`
  const counted = await queryOne<ReviewItem['replies']>(
    ctx,
    sql`
    select count(*) filter (where approval_status = 'pending')::int as held,
      count(*) filter (where approval_status is distinct from 'pending')::int as visible
    from (select approval_status from comment where ${isReply} and not is_deleted limit ${REPLIES_COUNTED}) replies`,
  )
  return counted ?? { held: 0, visible: 0 }
}
