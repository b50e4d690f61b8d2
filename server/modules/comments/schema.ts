import { z } from 'zod'
import { HashFlag } from '#server/modules/users/schema.ts'

const Time = z.iso.datetime()
const AnyObject = z.record(z.string(), z.unknown())

export const Mentionee = z
  .object({
    type: z.enum(['user']),
    userIds: z.array(z.string()).optional(),
    userPublicIds: z.array(z.string()).optional(),
    userInternalIds: z.array(z.string()).optional(),
  })
  .meta({ id: 'Mentionee' })

export const Attachment = z.object({ type: z.enum(['image', 'video']), fileId: z.string() }).meta({ id: 'Attachment' })

/**
 * INTERFACE.md, Comment. Fields without a value are left out, never null: without `approvalStatus` the comment was never
 * gated for review, and is visible. `createdAt` is when it was written.
 */
export const Comment = z
  .object({
    commentId: z.string(),
    _id: z.string(),
    path: z.string(),
    userId: z.string(),
    userPublicId: z.string(),
    userInternalId: z.string(),
    parentId: z.string().optional(),
    rootId: z.string().optional(),
    referenceId: z.string().optional(),
    referenceType: z.enum(['post', 'content', 'story']).optional(),
    dataType: z.literal('text'),
    dataTypes: z.array(z.string()),
    data: AnyObject.optional(),
    metadata: AnyObject.optional(),
    childrenNumber: z.int(),
    flagCount: z.int(),
    hashFlag: HashFlag.optional(),
    reactions: z.record(z.string(), z.int()),
    reactionsCount: z.int(),
    myReactions: z.array(z.string()),
    isDeleted: z.boolean(),
    approvalStatus: z.enum(['pending', 'approved', 'rejected']).optional(),
    editedAt: Time.optional(),
    createdAt: Time,
    updatedAt: Time,
    children: z.array(z.string()),
    segmentNumber: z.int().optional(),
    mentionees: z.array(Mentionee),
    attachments: z.array(Attachment),
    targetId: z.string().optional(),
    targetType: z.enum(['community', 'user', 'content']).optional(),
  })
  .meta({ id: 'Comment' })
export type Comment = z.output<typeof Comment>
