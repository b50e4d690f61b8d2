import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { requireUser } from '#server/core/require-user.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { publishComment } from '#server/modules/content/comments/comment-event.ts'
import { countVisible } from '#server/modules/content/comments/count-visible.ts'
import { dataTypesOf } from '#server/modules/content/comments/data-types.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { countMentioned, readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import { publishRejection } from '#server/modules/content/comments/reject-comment.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { Comment, CommentsEnvelope, NewComment } from '#server/modules/content/comments/schema.ts'
import { flagByRules } from '#server/modules/content/flags/flag.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { publishHold } from '#server/modules/content/reviewable/publish-hold.ts'
import { isContentVisible } from '#server/modules/content/reviewable/reviewable.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import {
  type Judgement,
  judgeContent,
  recordMatches,
  rulesOf,
  UNJUDGED,
} from '#server/modules/rules/judging/judge-content.ts'
import { linkKeysOf } from '#server/modules/rules/judging/link-keys.ts'
import { muteAuthor } from '#server/modules/rules/judging/mute-author.ts'
import { runningRules } from '#server/modules/rules/judging/running-rules.ts'
import { isOpen } from '#server/modules/spaces/communities/visible.ts'
import { assertNotMuted, mutedUntil } from '#server/modules/spaces/sanctions/muted.ts'

/**
 * Writes a comment for the caller. It is held where the community or a live rule requires review and the caller may not review there: then
 * only its author and the reviewers see it, like one that a live rule rejects. Fails with NOT_FOUND for a target the caller may not see,
 * BANNED in a space they are banned from, MUTED in one they are muted in, FORBIDDEN in one that is closed to them, BLOCKED_WORD and LINK_NOT_ALLOWED for text that the lists
 * reject.
 */
export function createComment(ctx: Ctx, input: NewComment): Promise<CommentsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const space = await findSpace(ctx, input)
    const authorId = admit(ctx, space)
    const parent = input.parentId === undefined ? undefined : await findParent(ctx, input, input.parentId)
    await assertTextAllowed(ctx, [input.data])

    const mentionees = await readMentioned(ctx, input.mentionees ?? [])
    const judgement = await judgeComment(ctx, { input, space, authorId, mentionees })
    const status = statusOf(space, judgement)
    const comment = await insert(ctx, { input, space, authorId, mentionees, parent, status })
    await recordMatches(ctx, { kind: 'comment', subjectId: comment.commentId }, judgement)
    await putItems(ctx, 'comment', hiddenIn(comment, status))
    await muteAuthor(ctx, { ...space, kind: 'comment', subjectId: comment.commentId, authorId }, judgement)
    if (status === null) await countVisible(ctx, comment, 1)
    await recordWriting(ctx, comment, { ...space, status, judgement })
    const envelope = await buildCommentsEnvelope(ctx, [comment.commentId])
    await publish(ctx, comment, { space, status, judgement, envelope })
    if (status !== null || judgement.flagging.length === 0) return envelope
    await flagByRules(ctx, flaggableComment, { id: comment.commentId, rules: judgement.flagging })
    return buildCommentsEnvelope(ctx, [comment.commentId])
  })
}

interface WrittenThere extends Pick<Space, 'communityId'> {
  status: Status
  judgement: Judgement
}

function recordWriting(
  ctx: Ctx,
  { commentId }: Inserted,
  { communityId, status, judgement }: WrittenThere,
): Promise<void> {
  const isHeld = status === 'pending'
  return recordAudit(ctx, {
    action: isHeld ? 'comment.held' : 'comment.created',
    subjectType: 'comment',
    subjectId: commentId,
    communityId,
    after: { ...(isHeld && { approvalStatus: 'pending' }), version: 1, ...(isHeld && rulesOf(judgement.holding)) },
  })
}

/** The target of a comment, and the caller's standing there. */
interface Space {
  targetType: 'community' | 'user' | 'content' | null
  communityId: string | null
  targetId: string | null
  /** Whether it accepts comments: a published post, or a story that allows them; neither it nor its community may be deleted. */
  isCommentable: boolean
  isMember: boolean
  isBanned: boolean
  /** The caller's mute in its community. */
  mutedUntil: Date | null
  holdsComments: boolean
  mayReview: boolean
  /** `runningRules` of its community. */
  rules: string | null
}

/** Content has no record of ours. */
async function findSpace(ctx: Ctx, { referenceType, referenceId }: NewComment): Promise<Space> {
  if (referenceType === 'content') return { ...OPEN_TO_ALL, targetId: referenceId }
  const space = await (referenceType === 'post' ? findPost(ctx, referenceId) : findStory(ctx, referenceId))
  if (space === undefined) throw new DomainError('NOT_FOUND')
  return space
}

const OPEN_TO_ALL = {
  targetType: 'content',
  communityId: null,
  isCommentable: true,
  isMember: true,
  isBanned: false,
  mutedUntil: null,
  holdsComments: false,
  mayReview: false,
  rules: null,
} as const satisfies Omit<Space, 'targetId'>

/** Posts that are pending or were declined are visible to their author and to those who review posts. */
function findPost(ctx: Ctx, postId: string): Promise<Space | undefined> {
  const userId = actingUserId(ctx) ?? null
  return queryOne<Space>(
    ctx,
    sql`
    select p.target_type, p.target_id,
      p.feed_type = 'published' and not p.is_deleted and not coalesce(k.is_deleted, false) as is_commentable,
      ${howTheyStandIn(ctx, sql`p.community_id`)}
    from post p
    left join community k on k.community_id = p.community_id
    left join community_user mine on mine.community_id = p.community_id and mine.user_id = ${userId} and not mine.is_deleted
    where p.post_id = ${postId} and (
      p.posted_user_id = ${userId} or ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}
      or p.feed_type = 'published' and (p.community_id is null or ${isOpen(ctx)} or mine.membership = 'banned'))`,
  )
}

/** A story is known only by the comments on it, and belongs to their community. Uses comment_on_reference. */
function findStory(ctx: Ctx, storyId: string): Promise<Space | undefined> {
  return queryOne<Space>(
    ctx,
    sql`
    select c.target_type, c.target_id,
      coalesce(k.allow_comment_in_story and not k.is_deleted, true) as is_commentable,
      ${howTheyStandIn(ctx, sql`c.community_id`)}
    from (
      select * from comment c where c.reference_id = ${storyId} and c.reference_type = 'story'
      order by c.created_at desc, c.comment_id limit 1) c
    left join community k on k.community_id = c.community_id
    left join community_user mine
      on mine.community_id = c.community_id and mine.user_id = ${actingUserId(ctx) ?? null} and not mine.is_deleted
    where c.community_id is null or ${isOpen(ctx)} or mine.membership = 'banned'`,
  )
}

/** The caller's standing in the community that the column names: `community k`, where they are `community_user mine`. */
function howTheyStandIn(ctx: Ctx, communityColumn: Sql): Sql {
  return sql`
    ${communityColumn} as community_id,
    (${communityColumn} is null or ${ctx.actor.kind === 'admin'} or coalesce(mine.membership = 'member', false)) as is_member,
    coalesce(mine.membership = 'banned', false) as is_banned, ${mutedUntil(ctx, sql`mine`)} as muted_until, coalesce(k.need_approval_on_comment_creation, false) as holds_comments,
    ${mayInCommunity(ctx, 'reviewComments', communityColumn)} as may_review, ${runningRules(communityColumn)} as rules`
}

function admit(ctx: Ctx, space: Space): string {
  const userId = requireUser(ctx)
  if (space.isBanned) throw new DomainError('BANNED')
  if (!space.isMember || !space.isCommentable) throw new DomainError('FORBIDDEN')
  assertNotMuted(ctx, space.mutedUntil)
  return userId
}

interface Parent {
  commentId: string
  rootId: string | null
}

/** Replies only to what everyone sees: a reply would reveal a pending comment. */
async function findParent(ctx: Ctx, { referenceType, referenceId }: NewComment, parentId: string): Promise<Parent> {
  const parent = await queryOne<Parent & { isAnswerable: boolean }>(
    ctx,
    sql`
    select c.comment_id, c.root_id, (${reviewableComment.isPublic} and not c.is_deleted) as is_answerable
    from comment c left join community k on k.community_id = c.community_id
    where c.comment_id = ${parentId} and c.reference_type = ${referenceType}::reference_type and c.reference_id = ${referenceId}
      and ${isContentVisible(ctx, reviewableComment)}`,
  )
  if (parent === undefined) throw new DomainError('NOT_FOUND')
  if (!parent.isAnswerable) throw new DomainError('FORBIDDEN')
  return parent
}

interface Judging {
  input: NewComment
  space: Space
  authorId: string
  mentionees: Comment['mentionees']
}

/** Rules don't judge what a reviewer of the community writes. */
async function judgeComment(ctx: Ctx, { input, space, authorId, mentionees }: Judging): Promise<Judgement> {
  if (space.mayReview) return UNJUDGED
  return judgeContent(ctx, {
    ...space,
    kind: 'comment',
    authorId,
    data: input.data,
    mentions: countMentioned(mentionees),
    media: (input.attachments ?? []).map(({ type }) => type),
  })
}

type Status = 'pending' | 'rejected' | null

/** The ids of what isn't public. */
const hiddenIn = ({ commentId }: Inserted, status: Status) => (status === null ? [] : [commentId])

/** Rejected if any rule rejects it; null: public at once. */
function statusOf({ communityId, holdsComments, mayReview }: Space, { rejecting, holding }: Judgement): Status {
  if (communityId === null || mayReview) return null
  if (rejecting.length > 0) return 'rejected'
  return holdsComments || holding.length > 0 ? 'pending' : null
}

interface Writing extends Judging {
  parent: Parent | undefined
  status: Status
}

async function insert(ctx: Ctx, { status, ...written }: Writing): Promise<Inserted> {
  const { input, space, authorId, mentionees, parent } = written
  const now = ctx.now()
  const isHeld = status === 'pending'
  const comment = await queryOne<Inserted>(
    ctx,
    sql`
    insert into comment (comment_id, target_type, community_id, target_id, reference_type, reference_id, user_id, parent_id, root_id,
      data_types, data, metadata, mentionees, attachments, approval_status, is_deleted, queued_at,
      link_keys, created_at, updated_at)
    values (new_internal_id(), ${space.targetType}::target_type, ${space.communityId}, ${space.targetId},
      ${input.referenceType}::reference_type, ${input.referenceId}, ${authorId}, ${parent?.commentId ?? null},
      ${parent?.rootId ?? parent?.commentId ?? null}, ${dataTypesOf(input)}, ${toJson(input.data)}::jsonb, ${toJson(input.metadata)}::jsonb,
      ${toJson(mentionees)}::jsonb, ${toJson(input.attachments ?? [])}::jsonb,
      ${status}::approval_status, ${status === 'rejected'}, ${isHeld ? now : null},
      ${linkKeysOf(input.data)}::bigint[], ${now}, ${now})
    returning comment_id, parent_id, case when reference_type = 'post' then reference_id end as post_id`,
  )
  if (comment === undefined) throw new Error('an insert returned no row')
  return comment
}

interface Inserted {
  commentId: string
  parentId: string | null
  /** The post it is on. */
  postId: string | null
}

interface Publication {
  space: Space
  status: Status
  judgement: Judgement
  envelope: CommentsEnvelope
}

async function publish(
  ctx: Ctx,
  { commentId, parentId }: Inserted,
  { space, status, judgement, envelope }: Publication,
): Promise<void> {
  const written = { subjectId: commentId, communityId: space.communityId, version: 1, isPublic: status === null }
  if (status === 'rejected') return publishRejection(ctx, written, { judgement, envelope })
  if (status === 'pending') return publishHold(ctx, 'comment', written, judgement)
  const name = parentId === null ? 'v3.comment.didCreate' : 'v3.comment.didReply'
  await publishComment(ctx, written, { name, deskName: 'desk.comment.didHold', envelope })
}

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
