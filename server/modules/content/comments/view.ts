import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { type CommentPlace, commentPath } from '#server/core/record-path.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import { isEditedByReviewer } from '#server/modules/content/reviewable/is-edited-by-reviewer.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'

/** The stored part of what `toCommentView` reads, selected from `comment c`. */
export const COMMENT_COLUMNS = sql`
  c.comment_id, c.internal_id, c.user_id, c.parent_id, c.root_id, c.reference_id, c.reference_type,
  c.target_type, c.community_id, c.target_id, c.data_types, c.data, c.metadata, c.segment_number, c.flag_count,
  c.hash_flag, c.reactions, c.reactions_count, c.mentionees, c.attachments,
  c.is_deleted, c.approval_status, c.version, c.edited_at, c.edited_by, c.created_at, c.updated_at`

export interface StoredComment {
  commentId: string
  internalId: string
  userId: string
  parentId: string | null
  rootId: string | null
  referenceId: string | null
  referenceType: NonNullable<Comment['referenceType']> | null
  targetType: NonNullable<Comment['targetType']> | null
  communityId: string | null
  targetId: string | null
  dataTypes: string[]
  data: Record<string, unknown> | null
  metadata: Record<string, unknown> | null
  segmentNumber: number | null
  flagCount: number
  hashFlag: Comment['hashFlag'] | null
  reactions: Record<string, number>
  reactionsCount: number
  mentionees: Comment['mentionees'] | null
  attachments: Comment['attachments'] | null
  isDeleted: boolean
  approvalStatus: NonNullable<Comment['approvalStatus']> | null
  version: number
  editedAt: Date | null
  editedBy: string | null
  createdAt: Date
  updatedAt: Date
}

/** What a comment's view has beside what is stored in it. */
export interface BesideComment {
  userInternalId: string
  place: CommentPlace
  /** Counts replies that everyone sees. */
  childrenNumber: number
  /** Ids of the replies the caller may see. */
  children: string[]
  /** The caller's own. */
  myReactions: string[]
  /** Null without any, and for those who don't review it. */
  reviewReasons: ReviewReason[] | null
}

/** The shape of docs/interface/comments.md#comment. */
export function toCommentView({ networkId }: Ctx, row: StoredComment, beside: BesideComment): Comment {
  const targetId = row.communityId ?? row.targetId ?? undefined
  return {
    commentId: row.commentId,
    _id: row.internalId,
    path: commentPath(networkId, beside.place, row.internalId),
    userId: row.userId,
    userPublicId: row.userId,
    userInternalId: beside.userInternalId,
    parentId: row.parentId ?? undefined,
    rootId: row.rootId ?? undefined,
    referenceId: row.referenceId ?? undefined,
    referenceType: row.referenceType ?? undefined,
    dataType: 'text',
    dataTypes: row.dataTypes,
    data: row.data ?? undefined,
    metadata: row.metadata ?? undefined,
    childrenNumber: beside.childrenNumber,
    flagCount: row.flagCount,
    hashFlag: row.hashFlag ?? undefined,
    reactions: row.reactions,
    reactionsCount: row.reactionsCount,
    myReactions: beside.myReactions,
    isDeleted: row.isDeleted,
    approvalStatus: row.approvalStatus ?? undefined,
    reviewReasons: beside.reviewReasons ?? undefined,
    editedAt: timestampOf(row.editedAt ?? row.createdAt),
    isEditedByReviewer: isEditedByReviewer(row),
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
    children: beside.children,
    segmentNumber: row.segmentNumber ?? undefined,
    mentionees: row.mentionees ?? [],
    attachments: row.attachments ?? [],
    targetId,
    targetType: row.targetType ?? undefined,
  }
}

/** The text of a comment or post; empty where its body has none. */
export function textOf(body: { data: Record<string, unknown> | null }): string {
  const text = body.data?.text
  return typeof text === 'string' ? text : ''
}
