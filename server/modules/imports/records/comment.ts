import { z } from 'zod'
import { Prisma } from '#server/core/db.ts'
import { ApprovalStatus, ReferenceType, TargetType } from '#server/core/prisma/enums.ts'
import { Attachment, Mentionee } from '#server/modules/comments/schema.ts'
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
} from '#server/modules/imports/records/fields.ts'
import { recordKind, tally } from '#server/modules/imports/records/record-kind.ts'

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
      error: 'Only a comment with approvalStatus was ever held',
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
    // INTERFACE.md, Comment review state: rejected is declined and deleted.
    isDeleted: isDeleted || comment.approvalStatus === 'rejected',
  }),
  effects: [
    tally('held_comments', { by: 'community_id', where: `approval_status = 'pending' and not is_deleted` }),
    Prisma.raw(`
      update post p set comments_count = p.comments_count + more.count
      from (
        select reference_id, count(*)::int as count from added
        where reference_type = 'post' and ${IS_VISIBLE} group by reference_id) more
      where p.post_id = more.reference_id`),
  ],
  afterwards: recountReplies,
})

/** Of the comments that came in and of those they answer: a reply may come in before its parent. Uses comment_replies. */
function recountReplies(commentIds: string[]) {
  return Prisma.sql`
    update comment p set children_number = replies.count
    from (
      select parent_id, count(*)::int as count from comment
      where ${Prisma.raw(IS_VISIBLE)} and parent_id in (
        select comment_id from comment where comment_id = any(${commentIds}::text[])
        union
        select parent_id from comment where comment_id = any(${commentIds}::text[]) and parent_id is not null)
      group by parent_id) replies
    where p.comment_id = replies.parent_id and p.children_number <> replies.count`
}
