import { z } from 'zod'
import { ResourceId, text } from '#server/core/text.ts'
import {
  AnyObject,
  CreationOrder,
  EitherFlag,
  ListOptions,
  listOf,
  Paging,
  QueryFlag,
  RecordPath,
  StoredObject,
  Time,
} from '#server/core/wire/schema.ts'
import { HashFlag, User } from '#server/modules/accounts/users/schema.ts'
import { Mentionee, NewMentionees } from '#server/modules/content/mentions/schema.ts'
import { File } from '#server/modules/media/files/schema.ts'
import { ReviewReason } from '#server/modules/rules/judging/schema.ts'
import { CommunityUser } from '#server/modules/spaces/communities/schema.ts'

const ReferenceType = z.enum(['post', 'content', 'story'])
/** What content belongs to. */
export const TargetType = z.enum(['community', 'user', 'content'])

export const Attachment = z.object({ type: z.enum(['image', 'video']), fileId: z.string() }).meta({ id: 'Attachment' })
export type Attachment = z.output<typeof Attachment>

/**
 * docs/interface/comments.md#comment. Fields without a value are left out, never null: without `approvalStatus` it was never
 * gated for review, and is visible. `createdAt` is when it was written.
 */
export const Comment = z
  .object({
    commentId: z.string(),
    _id: z.string(),
    path: RecordPath,
    userId: z.string(),
    userPublicId: z.string(),
    userInternalId: z.string(),
    parentId: z.string().optional(),
    rootId: z.string().optional(),
    referenceId: z.string().optional(),
    referenceType: ReferenceType.optional(),
    dataType: z.literal('text'),
    dataTypes: z.array(z.string()),
    data: StoredObject.optional(),
    metadata: StoredObject.optional(),
    childrenNumber: z.int(),
    flagCount: z.int(),
    hashFlag: HashFlag.optional(),
    reactions: z.record(z.string(), z.int()),
    reactionsCount: z.int(),
    myReactions: z.array(z.string()),
    isDeleted: z.boolean(),
    approvalStatus: z.enum(['pending', 'approved', 'rejected']).optional(),
    reviewReasons: z
      .array(ReviewReason)
      .optional()
      .describe(
        'While it is pending or rejected by rules, for those who review it; in events of decisions, the rules that held, rejected or flagged it',
      ),
    editedAt: Time,
    isEditedByReviewer: z
      .literal(true)
      .optional()
      .describe('A reviewer changed its text while it was held, and its author has not changed it since'),
    createdAt: Time,
    updatedAt: Time,
    children: z.array(z.string()),
    segmentNumber: z.int().optional(),
    mentionees: z.array(Mentionee),
    attachments: z.array(Attachment),
    targetId: z.string().optional(),
    targetType: TargetType.optional(),
  })
  .meta({ id: 'Comment' })
export type Comment = z.output<typeof Comment>

// ── Envelopes ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What every response about comments contains; arrays are always present, possibly empty. */
export const CommentsEnvelope = z
  .object({
    comments: z.array(Comment),
    commentChildren: z.array(Comment),
    communityUsers: z.array(CommunityUser),
    users: z.array(User),
    files: z.array(File),
  })
  .meta({ id: 'Comments' })
export type CommentsEnvelope = z.output<typeof CommentsEnvelope>

export const CommentsPage = CommentsEnvelope.extend({ paging: Paging }).meta({ id: 'CommentsPage' })
export type CommentsPage = z.output<typeof CommentsPage>

export const Deleted = z.object({ success: z.literal(true) }).meta({ id: 'Deleted' })

// ── Input ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The most UTF-16 units of a text. */
export const TEXT_LENGTH = 20_000
const BODY_BYTES = 100 * 1_024

/** 20,000 characters, or 100 KB for custom content; also for posts and messages (docs/interface/conventions.md#message-content). */
export const Body = AnyObject.refine(
  ({ text, title }) => [text, title].every((words) => typeof words !== 'string' || words.length <= TEXT_LENGTH),
  { path: ['text'], error: 'must be at most 20,000 characters long' },
).refine((body) => new TextEncoder().encode(JSON.stringify(body)).length <= BODY_BYTES, 'must be at most 100 KB')

const NewAttachments = z.array(z.object({ type: z.enum(['image', 'video']), fileId: ResourceId })).max(10)

const Written = {
  data: Body.optional(),
  metadata: AnyObject.optional(),
  mentionees: NewMentionees.optional(),
  attachments: NewAttachments.optional(),
}

/** A comment without text has an attachment (docs/interface/comments.md#write-a-comment). */
export const NewComment = z
  .object({
    referenceType: ReferenceType,
    referenceId: ResourceId,
    parentId: ResourceId.optional(),
    ...Written,
  })
  .refine(({ data, attachments }) => hasWords(data) || (attachments ?? []).length > 0, {
    path: ['data', 'text'],
    error: 'is required',
  })
export type NewComment = z.output<typeof NewComment>

/** What is left out stays as it is. */
export const CommentEdit = z.object(Written)
export type CommentEdit = z.output<typeof CommentEdit>

function hasWords(data: { text?: unknown } | undefined): boolean {
  return typeof data?.text === 'string' && data.text !== ''
}

// ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────────

export const CommentParams = z.object({ commentId: ResourceId })
export const DeleteQuery = z.object({ permanent: QueryFlag.default(false) })

/**
 * docs/interface/comments.md#list-comments. `filterByParentId` without `parentId` returns top-level comments. `includePending` is for
 * reviewers.
 */
export const CommentsQuery = z.object({
  referenceType: ReferenceType,
  referenceId: ResourceId,
  parentId: text({ max: 900 }).optional(),
  filterByParentId: QueryFlag.default(false),
  hasFlag: QueryFlag.optional(),
  isDeleted: EitherFlag,
  includePending: QueryFlag.default(false),
  dataTypes: z
    .object({
      values: listOf(z.enum(['text', 'image', 'video']), { min: 1, max: 3 }),
      matchType: z.enum(['any', 'exact']).default('any'),
    })
    .optional(),
  sortBy: CreationOrder,
  options: ListOptions,
})
export type CommentsQuery = z.output<typeof CommentsQuery>
