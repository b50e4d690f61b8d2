import { z } from 'zod'
import { ApprovalStatus, ReferenceType, TargetType } from '#server/core/prisma/enums.ts'
import { Attachment, Mentionee } from '#server/modules/content/comments/schema.ts'
import {
  AnyObject,
  Dates,
  Flag,
  Id,
  optional,
  otherwise,
  Reactions,
  Reports,
  Time,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind, reported, tally } from '#server/modules/integrations/imports/records/record-kind.ts'

const IS_VISIBLE = `not is_deleted and (approval_status is null or approval_status = 'approved')`

export const comment = recordKind({
  stage: 3,
  table: 'comment',
  id: ['comment_id'],
  schema: z
    .object({
      commentId: Id,
      userId: UserId,
      parentId: optional(Id),
      rootId: optional(Id),
      referenceId: optional(Id),
      referenceType: optional(z.enum(ReferenceType)),
      targetId: optional(Id),
      targetType: optional(z.enum(TargetType)),
      dataTypes: otherwise(['text'], z.array(z.enum(['text', 'image', 'video']))),
      data: optional(AnyObject),
      metadata: optional(AnyObject),
      segmentNumber: optional(z.int32()),
      ...Reactions,
      ...Reports,
      mentionees: optional(z.array(Mentionee)),
      attachments: optional(z.array(Attachment)),
      approvalStatus: optional(z.enum(ApprovalStatus)),
      queuedAt: optional(Time),
      isDeleted: Flag,
      editedAt: optional(Time),
      ...Dates,
    })
    .refine(({ queuedAt, approvalStatus }) => queuedAt === null || approvalStatus !== null, {
      path: ['queuedAt'],
      error: 'Only allowed on a comment with approvalStatus',
    })
    .refine(({ targetType, targetId }) => targetType !== 'community' || targetId !== null, {
      path: ['targetId'],
      error: 'is missing',
    }),
  names: { communityId: 'community', userId: 'user' },
  toRow: ({ targetId, queuedAt, isDeleted, ...comment }) => ({
    ...comment,
    communityId: comment.targetType === 'community' ? targetId : null,
    targetId: comment.targetType === 'community' ? null : targetId,
    queuedAt: comment.approvalStatus === null ? null : (queuedAt ?? comment.createdAt),
    // A rejected comment is also deleted (docs/interface/import.md#rules-for-fields).
    isDeleted: isDeleted || comment.approvalStatus === 'rejected',
  }),
  effects: [
    ...reported('comment'),
    tally('held_comments', { by: 'community_id', where: `approval_status = 'pending' and not is_deleted` }),
    tally('comment_children', { by: 'parent_id', where: IS_VISIBLE }),
    tally('post_comments', { by: 'reference_id', where: `reference_type = 'post' and ${IS_VISIBLE}` }),
  ],
})
