import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { requireUser } from '#server/core/require-user.ts'
import { countMentioned, readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import { flagByRules } from '#server/modules/content/flags/flag.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { countPost } from '#server/modules/content/posts/count-post.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { publishPost } from '#server/modules/content/posts/post-event.ts'
import { findFeed } from '#server/modules/content/posts/read-feeds.ts'
import { publishRejection } from '#server/modules/content/posts/reject-post.ts'
import type { NewPost, PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { publishHold } from '#server/modules/content/reviewable/publish-hold.ts'
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
 * Writes a post for the caller: in a community they are a member of, on their own feed, or on content. It is held for review where the
 * community or a live rule requires that and the caller may not review there, or rejected by a live rule. Fails with NOT_FOUND for a target
 * the caller may not see, BANNED, MUTED, FORBIDDEN for one that is closed to them, BLOCKED_WORD and LINK_NOT_ALLOWED for text that the lists reject.
 */
export function createPost(ctx: Ctx, input: NewPost): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const space = await findSpace(ctx, input)
    const authorId = admit(ctx, space)
    await assertTextAllowed(ctx, [input.data, input.tags, input.hashtags])

    const mentionees = await readMentioned(ctx, input.mentionees ?? [])
    const judgement = await judgePost(ctx, { input, space, authorId, mentionees })
    const feedType = feedOf(space, judgement)
    const isHeld = feedType === 'reviewing'
    const post = await insert(ctx, { input, space, authorId, mentionees, feedType })
    await recordMatches(ctx, { kind: 'post', subjectId: post.postId }, judgement)
    await putItems(ctx, 'post', feedType === 'published' ? [] : [post.postId])
    await muteAuthor(ctx, { ...space, kind: 'post', subjectId: post.postId, authorId }, judgement)
    await countPost(ctx, post, 1)
    await recordAudit(ctx, {
      action: isHeld ? 'post.held' : 'post.created',
      subjectType: 'post',
      subjectId: post.postId,
      communityId: post.communityId,
      after: { ...(feedType !== 'declined' && { feedType }), version: 1, ...(isHeld && rulesOf(judgement.holding)) },
    })
    const written = { subjectId: post.postId, communityId: post.communityId }
    if (feedType === 'declined') await publishRejection(ctx, { ...written, version: 1 }, judgement)
    else if (isHeld) await publishHold(ctx, 'post', written, judgement)
    else
      await publishPost(
        ctx,
        { ...written, isPublic: true },
        { name: 'v3.post.didCreate', deskName: 'desk.post.didHold' },
      )
    if (feedType === 'published') await flagByRules(ctx, flaggablePost, { id: post.postId, rules: judgement.flagging })
    return buildPostsEnvelope(ctx, [post.postId])
  })
}

/** The target of a post, and the caller's standing there. */
interface Space {
  communityId: string | null
  targetId: string | null
  isOpenToPosts: boolean
  isBanned: boolean
  /** The caller's mute in its community. */
  mutedUntil: Date | null
  holdsPosts: boolean
  mayReview: boolean
  /** `runningRules` of its community. */
  rules: string | null
}

/** Content is defined by the app alone; only its user writes on a feed. */
async function findSpace(ctx: Ctx, { targetType, targetId }: NewPost): Promise<Space> {
  if (targetType === 'content') return { ...OWN, targetId }
  if (targetType === 'user') return { ...OWN, targetId, isOpenToPosts: targetId === actingUserId(ctx) }
  const space = await findCommunity(ctx, targetId)
  if (space === undefined) throw new DomainError('NOT_FOUND')
  return space
}

const OWN = {
  communityId: null,
  isOpenToPosts: true,
  isBanned: false,
  mutedUntil: null,
  holdsPosts: false,
  mayReview: false,
  rules: null,
}

/** `onlyAdminCanPost`: only those who may edit others' posts there. */
function findCommunity(ctx: Ctx, communityId: string): Promise<Space | undefined> {
  const inCommunity = sql`k.community_id`
  return queryOne<Space>(
    ctx,
    sql`
    select k.community_id, null as target_id,
      not k.is_deleted and (${ctx.actor.kind === 'admin'} or coalesce(mine.membership = 'member', false))
        and (not k.only_admin_can_post or ${mayInCommunity(ctx, 'editPosts', inCommunity)}) as is_open_to_posts,
      coalesce(mine.membership = 'banned', false) as is_banned, ${mutedUntil(ctx, sql`mine`)} as muted_until, k.need_approval_on_post_creation as holds_posts,
      ${mayInCommunity(ctx, 'reviewPosts', inCommunity)} as may_review, ${runningRules(inCommunity)} as rules
    from community k
    left join community_user mine
      on mine.community_id = k.community_id and mine.user_id = ${actingUserId(ctx) ?? null} and not mine.is_deleted
    where k.community_id = ${communityId} and (${isOpen(ctx)} or k.is_discoverable or mine.membership = 'banned')`,
  )
}

function admit(ctx: Ctx, space: Space): string {
  const userId = requireUser(ctx)
  if (space.isBanned) throw new DomainError('BANNED')
  if (!space.isOpenToPosts) throw new DomainError('FORBIDDEN')
  assertNotMuted(ctx, space.mutedUntil)
  return userId
}

interface Judging {
  input: NewPost
  space: Space
  authorId: string
  mentionees: Comment['mentionees']
}

/** Rules don't judge what a reviewer of the community writes. */
async function judgePost(ctx: Ctx, { input, space, authorId, mentionees }: Judging): Promise<Judgement> {
  if (space.mayReview) return UNJUDGED
  return judgeContent(ctx, {
    ...space,
    kind: 'post',
    authorId,
    data: input.data,
    mentions: countMentioned(mentionees),
    media: [input.dataType, ...input.attachments.map(({ type }) => type)],
  })
}

type FeedType = Inserted['feedType']

/** Declined if any rule rejects it. */
function feedOf({ holdsPosts, mayReview }: Space, { rejecting, holding }: Judgement): FeedType {
  if (mayReview) return 'published'
  if (rejecting.length > 0) return 'declined'
  return holdsPosts || holding.length > 0 ? 'reviewing' : 'published'
}

interface Writing extends Judging {
  feedType: FeedType
}

interface Inserted {
  postId: string
  communityId: string | null
  feedId: string
  feedType: 'reviewing' | 'published' | 'declined'
}

async function insert(ctx: Ctx, { feedType, ...written }: Writing): Promise<Inserted> {
  const { input, space, authorId, mentionees } = written
  const feedId = await findFeed(ctx, input, feedType)
  const now = ctx.now()
  const isHeld = feedType === 'reviewing'
  const post = await queryOne<{ postId: string }>(
    ctx,
    sql`
    insert into post (post_id, posted_user_id, target_type, community_id, target_id, feed_id, feed_type, queued_at, data,
      data_type, structure_type, metadata, children_number, tags, hashtags, mentionees, link_keys, created_at, updated_at)
    values (new_internal_id(), ${authorId}, ${input.targetType}::target_type, ${space.communityId}, ${space.targetId}, ${feedId},
      ${feedType}::feed_type, ${isHeld ? now : null},
      ${JSON.stringify(input.data)}::jsonb, ${input.dataType}, ${structureOf(input)},
      ${input.metadata ? JSON.stringify(input.metadata) : null}::jsonb, ${input.attachments.length},
      ${input.tags ?? []}, ${input.hashtags ?? []}, ${JSON.stringify(mentionees)}::jsonb,
      ${linkKeysOf(input.data)}::bigint[], ${now}, ${now})
    returning post_id`,
  )
  if (post === undefined) throw new Error('an insert returned no row')
  if (input.attachments.length > 0) await insertChildren(ctx, post.postId, input.attachments)
  return { postId: post.postId, communityId: space.communityId, feedId, feedType }
}

/** The type of its attachments; `mixed` for several types (docs/interface/posts.md#post). */
function structureOf({ dataType, attachments }: NewPost): string {
  const kinds = [...new Set(attachments.map(({ type }) => type))]
  return kinds.length > 1 ? 'mixed' : (kinds[0] ?? dataType)
}

/** In the space and feed of their parent. */
async function insertChildren(ctx: Ctx, parentPostId: string, attachments: NewPost['attachments']): Promise<void> {
  await execute(
    ctx,
    sql`
    insert into post (post_id, parent_post_id, posted_user_id, target_type, community_id, target_id, feed_id, feed_type, queued_at, data,
      data_type, structure_type, created_at, updated_at)
    select new_internal_id(), parent.post_id, parent.posted_user_id, parent.target_type, parent.community_id, parent.target_id,
      parent.feed_id, parent.feed_type, parent.queued_at, jsonb_build_object('fileId', attached.file_id), attached.type, attached.type,
      parent.created_at + attached.position * interval '1 millisecond', parent.updated_at
    from post parent,
      unnest(${attachments.map(({ fileId }) => fileId)}::text[], ${attachments.map(({ type }) => type)}::text[])
        with ordinality as attached(file_id, type, position)
    where parent.post_id = ${parentPostId}`,
  )
}
