import { randomUUID } from 'node:crypto'
import type { Actor } from '#server/core/ctx.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { asUser } from '#server/testing/ctx.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { withItems } from '#server/testing/with-items.ts'

let written = 0

/** Held items with the same text are one row of the queue. */
const ownWords = () => `Some words ${++written} of their own`

/** Creates valid rows, with their items, from the fields that matter to a test; each has new ids, so no clean-up is needed. */
export function factoriesOf(database: Database) {
  const { prisma } = withItems(database)
  const user = (over: { userId?: string; displayName?: string; roles?: string[] } = {}) =>
    prisma.user.create({ data: { userId: `user-${randomUUID()}`, displayName: 'Some one', ...over } })

  const community = (
    over: {
      communityId?: string
      channelId?: string
      displayName?: string
      isPublic?: boolean
      needApprovalOnCommentCreation?: boolean
      needApprovalOnPostCreation?: boolean
    } = {},
  ) =>
    prisma.community.create({
      data: {
        communityId: `community-${randomUUID()}`,
        displayName: 'Some where',
        needApprovalOnCommentCreation: true,
        ...over,
      },
    })

  const member = (over: {
    communityId: string
    userId: string
    roles?: string[]
    membership?: 'none' | 'member' | 'banned'
  }) => prisma.communityUser.create({ data: { membership: 'member', ...over } })

  /** A user with the role of a community moderator there. */
  const reviewerOf = async (communityId: string): Promise<Actor & { kind: 'user' }> => {
    const { userId } = await user()
    await member({ communityId, userId, roles: ['community-moderator'] })
    return { kind: 'user', userId, name: `Name of ${userId}` }
  }

  const post = async (over: {
    communityId: string
    postId?: string
    parentPostId?: string
    postedUserId?: string
    data?: object
    dataType?: string
  }) =>
    prisma.post.create({
      data: {
        postId: `post-${randomUUID()}`,
        targetType: 'community',
        data: { title: 'Some post' },
        ...over,
        postedUserId: over.postedUserId ?? (await user()).userId,
      },
    })

  interface HeldPostOver {
    postId?: string
    communityId?: string
    postedUserId?: string
    createdAt?: Date
    queuedAt?: Date
    data?: object
    dataType?: string
    flagCount?: number
  }

  /** A held post in a community of its own, counted as when its author writes it; with flags, it is reported. */
  const heldPost = async (over: HeldPostOver = {}) => {
    const communityId = over.communityId ?? (await community({ needApprovalOnPostCreation: true })).communityId
    const postedUserId = over.postedUserId ?? (await user()).userId
    const createdAt = over.createdAt ?? new Date()
    const held = await prisma.post.create({
      data: {
        postId: `post-${randomUUID()}`,
        targetType: 'community',
        feedType: 'reviewing',
        dataType: 'text',
        data: { text: ownWords() },
        createdAt,
        queuedAt: createdAt,
        ...over,
        communityId,
        postedUserId,
      },
    })
    if (held.flagCount > 0) await keepReportsOf(database, 'post', [held.postId])
    return { ...held, communityId }
  }

  interface CommentOver {
    commentId?: string
    communityId?: string
    userId?: string
    parentId?: string
    referenceId?: string
    approvalStatus?: 'pending' | 'approved' | 'rejected' | null
    isDeleted?: boolean
    createdAt?: Date
    queuedAt?: Date
    data?: object
    reactions?: object
    reactionsCount?: number
    flagCount?: number
    dataTypes?: string[]
    attachments?: object[]
  }

  /** A held comment in a community of its own, counted as when it is imported or its author writes it; with flags, it is reported. */
  const heldComment = async ({ approvalStatus = 'pending', ...over }: CommentOver = {}) => {
    const communityId = over.communityId ?? (await community()).communityId
    const userId = over.userId ?? (await user()).userId
    const createdAt = over.createdAt ?? new Date()
    const comment = await prisma.comment.create({
      data: {
        commentId: `comment-${randomUUID()}`,
        targetType: 'community',
        dataTypes: ['text'],
        data: { text: ownWords() },
        ...(over.referenceId && { referenceType: 'post' }),
        createdAt,
        queuedAt: approvalStatus === null ? null : createdAt,
        ...over,
        approvalStatus,
        communityId,
        userId,
      },
    })
    if (comment.flagCount > 0) await keepReportsOf(database, 'comment', [comment.commentId])
    return { ...comment, communityId }
  }

  /** Escalates a held item, as a colleague does. */
  const escalated = (
    subject: { subjectType: string; subjectId: string },
    over: { escalationNote?: string; escalatedBy?: string; escalatedByName?: string; escalatedAt?: Date } = {},
  ) =>
    prisma.reviewItem.update({
      where: { subjectType_subjectId_kind: { ...subject, kind: 'held' } },
      data: {
        escalationNote: 'Look at this',
        escalatedBy: 'someone',
        escalatedByName: 'Some one',
        escalatedAt: new Date(),
        ...over,
      },
    })

  return { escalated, user, community, member, reviewerOf, post, heldPost, heldComment, author: asUser }
}
