import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { type CommentPlace, commentPath } from '#server/core/record-path.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'

/** The stored part of what `toCommentView` reads, selected from `comment c`. */
export const COMMENT_COLUMNS = sql`
  c.comment_id, c.internal_id, c.user_id, c.parent_id, c.root_id, c.reference_id, c.reference_type,
  c.target_type, c.community_id, c.target_id, c.data_types, c.data, c.metadata, c.segment_number, c.flag_count,
  c.hash_flag, c.reactions, c.reactions_count, c.mentionees, c.attachments,
  c.is_deleted, c.approval_status, c.version, c.edited_at, c.created_at, c.updated_at`

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
  const targetId = row.communityId ?? row.targetId
  return {
    commentId: row.commentId,
    _id: row.internalId,
    path: commentPath(networkId, beside.place, row.internalId),
    userId: row.userId,
    userPublicId: row.userId,
    userInternalId: beside.userInternalId,
    ...(row.parentId !== null && { parentId: row.parentId }),
    ...(row.rootId !== null && { rootId: row.rootId }),
    ...(row.referenceId !== null && { referenceId: row.referenceId }),
    ...(row.referenceType !== null && { referenceType: row.referenceType }),
    dataType: 'text',
    dataTypes: row.dataTypes,
    ...(row.data && { data: row.data }),
    ...(row.metadata && { metadata: row.metadata }),
    childrenNumber: beside.childrenNumber,
    flagCount: row.flagCount,
    ...(row.hashFlag && { hashFlag: row.hashFlag }),
    reactions: row.reactions,
    reactionsCount: row.reactionsCount,
    myReactions: beside.myReactions,
    isDeleted: row.isDeleted,
    ...(row.approvalStatus !== null && { approvalStatus: row.approvalStatus }),
    ...present({ reviewReasons: beside.reviewReasons }),
    ...(row.editedAt && { editedAt: timestampOf(row.editedAt) }),
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
    children: beside.children,
    ...(row.segmentNumber !== null && { segmentNumber: row.segmentNumber }),
    mentionees: row.mentionees ?? [],
    attachments: row.attachments ?? [],
    ...(targetId !== null && { targetId }),
    ...(row.targetType !== null && { targetType: row.targetType }),
  }
}

/** The text of a comment or post; empty where its body has none. */
export function textOf(body: { data: Record<string, unknown> | null }): string {
  const text = body.data?.text
  return typeof text === 'string' ? text : ''
}
