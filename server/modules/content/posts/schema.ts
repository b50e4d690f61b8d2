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
import { Body, Comment, TargetType } from '#server/modules/content/comments/schema.ts'
import { Mentionee, NewMentionees } from '#server/modules/content/mentions/schema.ts'
import { File } from '#server/modules/media/files/schema.ts'
import { ReviewReason } from '#server/modules/rules/judging/schema.ts'
import { Category, Community, CommunityUser, Feed } from '#server/modules/spaces/communities/schema.ts'

/** A post (docs/interface/posts.md#post). Fields without a value are left out, never null. */
export const Post = z
  .object({
    postId: z.string(),
    _id: z.string(),
    path: RecordPath,
    parentPostId: z.string().optional(),
    postedUserId: z.string(),
    postedUserPublicId: z.string(),
    postedUserInternalId: z.string(),
    sharedUserId: z.string().optional(),
    targetId: z.string().optional(),
    targetPublicId: z.string().optional(),
    targetInternalId: z.string().optional(),
    feedId: z.string().optional(),
    data: StoredObject,
    sharedCount: z.int(),
    reactionsCount: z.int(),
    commentsCount: z.int(),
    childrenNumber: z.int(),
    impression: z.int(),
    reach: z.int(),
    targetType: TargetType,
    dataType: z.string().optional(),
    structureType: z.string().optional(),
    metadata: StoredObject.optional(),
    flagCount: z.int(),
    hashFlag: HashFlag.optional(),
    editedAt: Time,
    isEditedByReviewer: z
      .literal(true)
      .optional()
      .describe('A reviewer changed its text while it was held, and its author has not changed it since'),
    createdAt: Time,
    updatedAt: Time,
    reactions: z.record(z.string(), z.int()),
    myReactions: z.array(z.string()),
    /** The latest few that everyone sees. */
    comments: z.array(z.string()),
    children: z.array(z.string()),
    tags: z.array(z.string()),
    hashtags: z.array(z.string()),
    isDeleted: z.boolean(),
    hasFlaggedComment: z.boolean(),
    hasFlaggedChildren: z.boolean(),
    mentionees: z.array(Mentionee),
    reviewReasons: z
      .array(ReviewReason)
      .optional()
      .describe(
        'While it is held or rejected by rules, for those who review it; in events of decisions, the rules that held, rejected or flagged it',
      ),
  })
  .meta({ id: 'Post' })
export type Post = z.output<typeof Post>

/** What every response about posts contains; `feeds` includes the feed of every post's feedId (docs/interface/posts.md#envelope). */
export const PostsEnvelope = z
  .object({
    posts: z.array(Post),
    postChildren: z.array(Post),
    comments: z.array(Comment),
    users: z.array(User),
    files: z.array(File),
    communities: z.array(Community),
    communityUsers: z.array(CommunityUser),
    categories: z.array(Category),
    feeds: z.array(Feed),
  })
  .meta({ id: 'Posts' })
export type PostsEnvelope = z.output<typeof PostsEnvelope>

export const PostsPage = PostsEnvelope.extend({ paging: Paging }).meta({ id: 'PostsPage' })
export type PostsPage = z.output<typeof PostsPage>

export const PostParams = z.object({ postId: ResourceId })

const Tag = text({ min: 1, max: 100 })
const Described = {
  metadata: AnyObject.optional(),
  mentionees: NewMentionees.optional(),
  tags: z.array(Tag).max(100).optional(),
  hashtags: z.array(Tag).max(100).optional(),
}

/** Each attachment becomes a child of the post (docs/interface/posts.md#write-a-post). */
export const NewPost = z
  .object({
    targetType: TargetType,
    targetId: ResourceId,
    data: Body.default({}),
    dataType: text({ min: 1, max: 255 }).default('text'),
    attachments: z
      .array(z.object({ type: z.enum(['image', 'file', 'video', 'audio', 'clip']), fileId: ResourceId }))
      .max(10)
      .default([]),
    ...Described,
  })
  .refine(({ data, attachments }) => Object.keys(data).length + attachments.length > 0, {
    path: ['data'],
    error: 'is required',
  })
export type NewPost = z.output<typeof NewPost>

/** What is left out stays as it is. */
export const PostEdit = z.object({ data: Body.optional(), ...Described })
export type PostEdit = z.output<typeof PostEdit>

/**
 * docs/interface/posts.md#list-posts. In the review feed everyone but reviewers sees only their own posts. `all` is everything pending in
 * every community, and takes no `targetId`.
 */
export const PostsQuery = z
  .object({
    targetType: z.enum(['community', 'user', 'content', 'all']),
    targetId: ResourceId.optional(),
    feedType: z.enum(['reviewing', 'published', 'declined']).default('published'),
    sortBy: CreationOrder,
    hasFlag: QueryFlag.optional(),
    isDeleted: EitherFlag,
    matchingOnlyParentPost: QueryFlag.default(true),
    dataTypes: listOf(text({ min: 1, max: 255 }), { max: 20 }).optional(),
    tags: listOf(Tag, { max: 10 }).optional(),
    options: ListOptions,
  })
  .transform(({ targetType, targetId, ...asked }, context) => {
    if (targetType === 'all') {
      if (asked.feedType === 'reviewing') return { ...asked, target: 'all' as const }
      context.addIssue({ code: 'custom', path: ['feedType'], message: 'must be reviewing when targetType is all' })
      return z.NEVER
    }
    if (targetId !== undefined) return { ...asked, target: { targetType, targetId } }
    context.addIssue({ code: 'custom', path: ['targetId'], message: 'is required' })
    return z.NEVER
  })
export type PostsQuery = z.output<typeof PostsQuery>
