import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { buildNewComment } from '#server/modules/content/comments/build-comments-envelope.ts'
import { commentKind } from '#server/modules/content/comments/comment-kind.ts'
import { visibleDeltas } from '#server/modules/content/comments/count-visible.ts'
import { dataTypesOf } from '#server/modules/content/comments/data-types.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { CommentsEnvelope, NewComment } from '#server/modules/content/comments/schema.ts'
import { isContentVisible } from '#server/modules/content/reviewable/reviewable.ts'
import { publishHidden } from '#server/modules/content/writing/publish-hidden.ts'
import { IS_BANNED, joinOwnMembership, OPEN_SPACE, type Space, spaceIn } from '#server/modules/content/writing/space.ts'
import { type Writing, type WrittenKind, writeContent } from '#server/modules/content/writing/write-content.ts'
import { deltaTables } from '#server/modules/ledger/counts/record-delta.ts'
import { linkKeysOf } from '#server/modules/rules/judging/link-keys.ts'
import { isOpen } from '#server/modules/spaces/communities/visible.ts'

/**
 * Writes a comment for the caller, as `writeContent` does: on a published post, or a story that allows comments. Neither it nor its community may be
 * deleted, else it fails with FORBIDDEN.
 */
export function createComment(ctx: Ctx, input: NewComment): Promise<CommentsEnvelope> {
  return writeContent(ctx, writtenComment, input)
}

interface CommentSpace extends Space {
  targetType: 'community' | 'user' | 'content' | null
  targetId: string | null
  /** The comment that is replied to. */
  parent?: Parent | undefined
}

const STATUS = { public: null, held: 'pending', rejected: 'rejected' } as const

const writtenComment: WrittenKind<NewComment, CommentSpace, CommentsEnvelope> = {
  type: 'comment',
  flaggable: commentKind.flaggable,
  findSpace: async (ctx, input) => {
    const space = await findTarget(ctx, input)
    return space && input.parentId !== undefined ? { ...space, parent: await findParent(ctx, input) } : space
  },
  assertFits: ({ parentId }, { parent }) => {
    if (parentId === undefined) return
    if (parent === undefined) throw new DomainError('NOT_FOUND')
    if (!parent.isAnswerable) throw new DomainError('FORBIDDEN')
  },
  textsOf: ({ data }) => [data],
  mediaOf: ({ attachments = [] }) => attachments.map(({ type }) => type),
  insert,
  stateOf: (fate) => ({ ...(fate === 'held' && commentKind.states.held), version: 1 }),
  read: buildNewComment,
  eventName: ({ parent }) => (parent === undefined ? 'v3.comment.didCreate' : 'v3.comment.didReply'),
  publishHidden: (ctx, id, writing, payload) => publishHidden(ctx, commentKind, id, { ...writing, payload }),
}

/** Content has no record of ours. */
async function findTarget(ctx: Ctx, { referenceType, referenceId }: NewComment): Promise<CommentSpace | undefined> {
  if (referenceType === 'content') return { ...OPEN_SPACE, targetType: 'content', targetId: referenceId }
  return referenceType === 'post' ? findPost(ctx, referenceId) : findStory(ctx, referenceId)
}

const COMMENTS = { isReviewed: sql`k.need_approval_on_comment_creation`, review: 'reviewComments' } as const

/** Posts that are pending or were declined are visible to their author and to those who review posts. */
function findPost(ctx: Ctx, postId: string): Promise<CommentSpace | undefined> {
  const community = sql`p.community_id`
  const isOpenToComments = sql`p.feed_type = 'published' and not p.is_deleted and not coalesce(k.is_deleted, false)`
  return queryOne<CommentSpace>(
    ctx,
    sql`
    select p.target_type, p.target_id, ${spaceIn(ctx, community, { ...COMMENTS, isOpen: isOpenToComments })}
    from post p left join community k on k.community_id = ${community} ${joinOwnMembership(ctx, community)}
    where p.post_id = ${postId} and (
      p.posted_user_id = ${actingUserId(ctx) ?? null} or ${mayInCommunity(ctx, 'reviewPosts', community)}
      or p.feed_type = 'published' and (${community} is null or ${isOpen(ctx)} or ${IS_BANNED}))`,
  )
}

/** A story is known only by the comments on it, and belongs to their community. Uses comment_on_reference. */
function findStory(ctx: Ctx, storyId: string): Promise<CommentSpace | undefined> {
  const community = sql`c.community_id`
  const isOpenToComments = sql`coalesce(k.allow_comment_in_story and not k.is_deleted, true)`
  return queryOne<CommentSpace>(
    ctx,
    sql`
    select c.target_type, c.target_id, ${spaceIn(ctx, community, { ...COMMENTS, isOpen: isOpenToComments })}
    from (
      select * from comment c where c.reference_id = ${storyId} and c.reference_type = 'story'
      order by c.created_at desc, c.comment_id limit 1) c
    left join community k on k.community_id = ${community} ${joinOwnMembership(ctx, community)}
    where ${community} is null or ${isOpen(ctx)} or ${IS_BANNED}`,
  )
}

interface Parent {
  commentId: string
  rootId: string | null
  /** Replies only to what everyone sees: a reply would reveal a pending comment. */
  isAnswerable: boolean
}

function findParent(ctx: Ctx, { referenceType, referenceId, parentId }: NewComment): Promise<Parent | undefined> {
  return queryOne<Parent>(
    ctx,
    sql`
    select c.comment_id, c.root_id, (${reviewableComment.isPublic} and not c.is_deleted) as is_answerable
    from comment c left join community k on k.community_id = c.community_id
    where c.comment_id = ${parentId ?? null} and c.reference_type = ${referenceType}::reference_type and c.reference_id = ${referenceId}
      and ${isContentVisible(ctx, reviewableComment)}`,
  )
}

async function insert(ctx: Ctx, writing: Writing<NewComment, CommentSpace>): Promise<{ subjectId: string }> {
  const { input, space, authorId, mentionees, fate } = writing
  const parentId = space.parent?.commentId ?? null
  const postId = input.referenceType === 'post' ? input.referenceId : null
  const deltas = fate === 'public' ? visibleDeltas({ parentId, postId }, 1) : []
  const now = ctx.now()
  const comment = await queryOne<{ subjectId: string }>(
    ctx,
    sql`
    with written as (
      insert into comment (comment_id, target_type, community_id, target_id, reference_type, reference_id, user_id, parent_id, root_id,
      data_types, data, metadata, mentionees, attachments, approval_status, is_deleted, queued_at,
      link_keys, created_at, updated_at)
    values (new_internal_id(), ${space.targetType}::target_type, ${space.communityId}, ${space.targetId},
      ${input.referenceType}::reference_type, ${input.referenceId}, ${authorId}, ${parentId},
      ${space.parent?.rootId ?? parentId}, ${dataTypesOf(input)}, ${toJson(input.data)}::jsonb,
      ${toJson(input.metadata)}::jsonb, ${toJson(mentionees)}::jsonb, ${toJson(input.attachments ?? [])}::jsonb,
      ${STATUS[fate]}::approval_status, ${fate === 'rejected'}, ${fate === 'held' ? now : null},
      ${linkKeysOf(input.data)}::bigint[], ${now}, ${now})
    returning comment_id as subject_id)${deltaTables(deltas, sql`from written`)}
    select subject_id from written`,
  )
  if (comment === undefined) throw new Error('an insert returned no row')
  return comment
}

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
