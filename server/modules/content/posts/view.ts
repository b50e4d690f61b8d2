import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { postPath, targetInternalId } from '#server/core/record-path.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { Post } from '#server/modules/content/posts/schema.ts'
import { isEditedByReviewer } from '#server/modules/content/reviewable/is-edited-by-reviewer.ts'
import { counted } from '#server/modules/ledger/counts/counted.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'

/** What `toPostView` reads, selected from `post p` and its author, `network_user u`. */
export const POST_COLUMNS = sql`
  p.post_id, p.internal_id, p.parent_post_id, p.posted_user_id,
  u.internal_id as posted_user_internal_id, p.shared_user_id, p.target_type,
  p.community_id, p.target_id,
  ${targetInternalId(sql`p`)} as target_internal_id,
  p.feed_id, p.data, p.data_type, p.structure_type, p.metadata,
  p.shared_count, ${counted('post_comments', sql`p.post_id`)} as comments_count,
  p.children_number, p.impression, p.reach, p.reactions, p.reactions_count,
  p.flag_count, p.hash_flag, p.tags, p.hashtags, p.mentionees,
  p.has_flagged_comment, p.has_flagged_children, p.is_deleted,
  p.edited_at, p.edited_by, p.created_at, p.updated_at`

export interface PostRow {
  postId: string
  internalId: string
  parentPostId: string | null
  postedUserId: string
  postedUserInternalId: string
  sharedUserId: string | null
  targetType: Post['targetType']
  communityId: string | null
  targetId: string | null
  targetInternalId: string | null
  feedId: string | null
  data: Record<string, unknown>
  dataType: string | null
  structureType: string | null
  metadata: Record<string, unknown> | null
  sharedCount: number
  /** Counts comments that everyone sees, including replies. */
  commentsCount: number
  childrenNumber: number
  impression: number
  reach: number
  reactions: Record<string, number>
  reactionsCount: number
  flagCount: number
  hashFlag: Post['hashFlag'] | null
  tags: string[]
  hashtags: string[]
  mentionees: Post['mentionees'] | null
  hasFlaggedComment: boolean
  hasFlaggedChildren: boolean
  isDeleted: boolean
  editedAt: Date | null
  editedBy: string | null
  createdAt: Date
  updatedAt: Date
}

/** The parts of a post that are stored elsewhere. */
export interface BesidePost {
  children: string[]
  comments: string[]
  myReactions: string[]
  /** Null without any, and for those who don't review it. */
  reviewReasons: ReviewReason[] | null
}

/** The shape of docs/interface/posts.md#post. */
export function toPostView({ networkId }: Ctx, row: PostRow, beside: BesidePost): Post {
  const targetId = row.communityId ?? row.targetId ?? undefined
  return {
    postId: row.postId,
    _id: row.internalId,
    path: postPath(networkId, row, row.internalId),
    parentPostId: row.parentPostId ?? undefined,
    postedUserId: row.postedUserId,
    postedUserPublicId: row.postedUserId,
    postedUserInternalId: row.postedUserInternalId,
    sharedUserId: row.sharedUserId ?? undefined,
    targetId,
    targetPublicId: targetId,
    targetInternalId: row.targetInternalId ?? undefined,
    feedId: row.feedId ?? undefined,
    data: row.data,
    sharedCount: row.sharedCount,
    reactionsCount: row.reactionsCount,
    commentsCount: row.commentsCount,
    childrenNumber: row.childrenNumber,
    impression: row.impression,
    reach: row.reach,
    targetType: row.targetType,
    dataType: row.dataType ?? undefined,
    structureType: row.structureType ?? undefined,
    metadata: row.metadata ?? undefined,
    flagCount: row.flagCount,
    hashFlag: row.hashFlag ?? undefined,
    editedAt: timestampOf(row.editedAt ?? row.createdAt),
    isEditedByReviewer: isEditedByReviewer(row),
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
    reactions: row.reactions,
    myReactions: beside.myReactions,
    comments: beside.comments,
    children: beside.children,
    tags: row.tags,
    hashtags: row.hashtags,
    isDeleted: row.isDeleted,
    hasFlaggedComment: row.hasFlaggedComment,
    hasFlaggedChildren: row.hasFlaggedChildren,
    mentionees: row.mentionees ?? [],
    reviewReasons: beside.reviewReasons ?? undefined,
  }
}
