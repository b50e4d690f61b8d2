import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { countMentioned, readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { countPost } from '#server/modules/content/posts/count-post.ts'
import { type LockedPost, lockPost } from '#server/modules/content/posts/lock-post.ts'
import { publishPost } from '#server/modules/content/posts/post-event.ts'
import { findFeed } from '#server/modules/content/posts/read-feeds.ts'
import type { PostEdit, PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { judgeEdit } from '#server/modules/content/reviewable/judge-edit.ts'
import { assertMayEdit } from '#server/modules/content/reviewable/lock-content.ts'
import { recordEdit } from '#server/modules/content/reviewable/record-change.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import { type Judgement, recordMatches, rulesOf, UNJUDGED } from '#server/modules/rules/judging/judge-content.ts'

/**
 * Edits a post; reviewers see that it changed. For its author, unless they are banned, and for EDIT_COMMUNITY_POST there. A public one that
 * a live rule holds as its author changed it waits for review again: to everyone else it is gone until then. Fails with NOT_FOUND, BANNED,
 * FORBIDDEN (also for a deleted one), BLOCKED_WORD and LINK_NOT_ALLOWED.
 */
export function editPost(ctx: Ctx, input: PostEdit & { postId: string }): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const post = await lockPost(ctx, input.postId)
    assertMayEdit(post)
    await assertTextAllowed(ctx, [input.data, input.tags, input.hashtags])

    const mentionees = input.mentionees && (await readMentioned(ctx, input.mentionees))
    const judgement = await judge(ctx, post, input.data ?? post.data, mentionees ?? post.mentionees ?? [])
    const isHeld = post.isPublic && judgement.live.length > 0
    if (isHeld) await hold(ctx, post)
    await write(ctx, post, input, mentionees)
    await recordMatches(ctx, { kind: 'post', subjectId: post.subjectId }, judgement)
    const rules = rulesOf(judgement)
    await recordEdit(ctx, 'post', post, isHeld ? heldBy(rules) : undefined)
    await publishPost(
      ctx,
      { ...post, isPublic: post.isPublic && !isHeld },
      { name: 'v3.post.didUpdate', deskName: isHeld ? 'desk.post.didHold' : 'desk.post.didEdit', atDesk: rules },
    )
    return buildPostsEnvelope(ctx, [post.subjectId])
  })
}

/** Rules can't hold an attachment, which goes with its post, nor what was declined. */
async function judge(ctx: Ctx, post: LockedPost, data: unknown, mentionees: Comment['mentionees']): Promise<Judgement> {
  if (post.parentPostId !== null || post.feedType === 'declined') return UNJUDGED
  return judgeEdit(ctx, post, { kind: 'post', data, mentions: countMentioned(mentionees), media: post.dataTypes })
}

const heldBy = (rules: object) => ({ before: { feedType: 'published' }, after: { feedType: 'reviewing', ...rules } })

/** Moves it with its attachments among what is held. Others learn that it is gone, with its text before the edit. */
async function hold(ctx: Ctx, post: LockedPost): Promise<void> {
  await publishPost(ctx, post, { name: 'v3.post.didDelete', deskName: 'desk.post.didHold' })
  const { targetType, communityId, targetId } = post
  const feedId = await findFeed(ctx, { targetType, targetId: communityId ?? targetId ?? '' }, 'reviewing')
  await execute(
    ctx,
    sql`
    update post set feed_type = 'reviewing', feed_id = ${feedId}, queued_at = ${ctx.now()}, updated_at = ${ctx.now()}
    where (post_id = ${post.subjectId} or parent_post_id = ${post.subjectId}) and feed_type = 'published'`,
  )
  await countPost(ctx, post, -1)
  await countPost(ctx, { ...post, feedId, feedType: 'reviewing' }, 1)
}

async function write(
  ctx: Ctx,
  post: LockedPost,
  edit: PostEdit,
  mentionees: Comment['mentionees'] | undefined,
): Promise<void> {
  await execute(
    ctx,
    sql`
    update post set data = coalesce(${toJson(edit.data)}::jsonb, data), metadata = coalesce(${toJson(edit.metadata)}::jsonb, metadata),
      mentionees = coalesce(${toJson(mentionees)}::jsonb, mentionees), tags = coalesce(${edit.tags ?? null}::text[], tags),
      hashtags = coalesce(${edit.hashtags ?? null}::text[], hashtags), version = version + 1, edited_at = ${ctx.now()},
      updated_at = ${ctx.now()}
    where post_id = ${post.subjectId} and version = ${post.version}`,
  )
}

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
