import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { ApprovalStatus, ReferenceType, TargetType } from '#server/core/prisma/enums.ts'
import { Attachment } from '#server/modules/content/comments/schema.ts'
import {
  Content,
  Dates,
  field,
  Id,
  optional,
  otherwise,
  Responses,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import { findUnreviewable } from '#server/modules/integrations/imports/records/find-unreviewable.ts'
import {
  decided,
  positionOf,
  type Row,
  recordKind,
  reported,
  signals,
  tally,
  unjudged,
} from '#server/modules/integrations/imports/records/record-kind.ts'

const IS_HELD = `approval_status = 'pending' and not is_deleted`
const IS_VISIBLE = `not is_deleted and (approval_status is null or approval_status = 'approved')`

export const comment = recordKind({
  stage: 3,
  table: 'comment',
  held: 'comment',
  id: ['comment_id'],
  schema: z
    .object({
      commentId: Id,
      userId: UserId,
      parentId: field.id,
      rootId: field.id,
      referenceId: field.id,
      referenceType: optional(z.enum(ReferenceType)),
      targetId: field.id,
      targetType: optional(z.enum(TargetType)),
      dataTypes: otherwise(['text'], z.array(z.enum(['text', 'image', 'video']))),
      data: optional(Content),
      metadata: field.object,
      segmentNumber: optional(z.int32()),
      ...Responses,
      mentionees: field.mentionees,
      attachments: optional(z.array(Attachment.extend({ fileId: Id })).max(10)),
      approvalStatus: optional(z.enum(ApprovalStatus)),
      queuedAt: field.time,
      isDeleted: field.flag,
      editedAt: field.time,
      ...Dates,
    })
    .refine(({ queuedAt, approvalStatus }) => queuedAt === null || approvalStatus !== null, {
      path: ['queuedAt'],
      error: 'Only allowed on a comment with approvalStatus',
    })
    .refine(({ targetType, targetId }) => targetType !== 'community' || targetId !== null, {
      path: ['targetId'],
      error: 'is missing',
    })
    .refine(({ approvalStatus, targetType }) => approvalStatus !== 'pending' || targetType === 'community', {
      path: ['targetType'],
      error: 'Must be community for a comment that waits for review',
    }),
  names: { communityId: 'community', userId: 'user' },
  toRow: ({ targetId, queuedAt, isDeleted, ...comment }) => ({
    ...comment,
    ...positionOf({ targetType: comment.targetType, targetId }),
    queuedAt: comment.approvalStatus === null ? null : (queuedAt ?? comment.createdAt),
    // A rejected comment is also deleted (docs/interface/import.md#rules-for-fields).
    isDeleted: isDeleted || comment.approvalStatus === 'rejected',
  }),
  findFaults: (ctx, rows) => {
    const waiting = rows.filter(({ approvalStatus, isDeleted }) => approvalStatus === 'pending' && isDeleted === false)
    return findUnreviewable(ctx, 'comment', waiting)
  },
  complete: placeOnPosts,
  effects: [
    ...reported('comment'),
    signals('comment'),
    decided('comment', { outcome: 'approval_status::text', where: `approval_status in ('approved', 'rejected')` }),
    unjudged('comment', { where: IS_HELD }),
    tally('comment_children', { by: 'parent_id', where: IS_VISIBLE }),
    tally('post_comments', { by: 'reference_id', where: `reference_type = 'post' and ${IS_VISIBLE}` }),
  ],
})

/** A comment without a target, on a post, belongs where the post does: otherwise everybody would see it, and nobody moderate it. */
async function placeOnPosts(ctx: Ctx, rows: Row[]): Promise<Row[]> {
  const placeless = rows.filter(isPlaceless)
  if (placeless.length === 0) return rows
  const posts = await query<PlacedPost>(
    ctx,
    sql`
    select post_id, target_type, community_id, target_id from post
    where post_id = any(${placeless.map(({ referenceId }) => referenceId)}::text[])`,
  )
  const places = new Map(posts.map(({ postId, ...place }) => [postId, place]))
  return rows.map((row) => (isPlaceless(row) ? { ...row, ...places.get(String(row.referenceId)) } : row))
}

interface PlacedPost {
  postId: string
  targetType: string
  communityId: string | null
  targetId: string | null
}

const isPlaceless = ({ targetType, referenceType }: Row) => targetType === null && referenceType === 'post'
