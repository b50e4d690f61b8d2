import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { countMentioned, readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import { flagByRules } from '#server/modules/content/flags/flag.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { holdPost } from '#server/modules/content/posts/hold-post.ts'
import { type LockedPost, lockPost } from '#server/modules/content/posts/lock-post.ts'
import { publishPost } from '#server/modules/content/posts/post-event.ts'
import { rejectPost } from '#server/modules/content/posts/reject-post.ts'
import type { PostEdit, PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { judgeEdit } from '#server/modules/content/reviewable/judge-edit.ts'
import { assertMayEdit } from '#server/modules/content/reviewable/lock-content.ts'
import { recordEdit } from '#server/modules/content/reviewable/record-change.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import { type Judgement, recordMatches, rulesOf, UNJUDGED } from '#server/modules/rules/judging/judge-content.ts'
import { muteAuthor } from '#server/modules/rules/judging/mute-author.ts'

/**
 * Edits a post; reviewers see that it changed. For its author, unless they are banned, and for EDIT_COMMUNITY_POST there. A public one that
 * a live rule holds as its author changed it waits for review again: to everyone else it is gone until then. What a live rule rejects is
 * rejected, also where it is pending. Fails with NOT_FOUND, BANNED, FORBIDDEN (also for a deleted one), BLOCKED_WORD and LINK_NOT_ALLOWED.
 */
export function editPost(ctx: Ctx, input: PostEdit & { postId: string }): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const post = await lockPost(ctx, input.postId)
    assertMayEdit(ctx, post)
    await assertTextAllowed(ctx, [input.data, input.tags, input.hashtags])

    const mentionees = input.mentionees && (await readMentioned(ctx, input.mentionees))
    const judgement = await judge(ctx, post, input.data ?? post.data, mentionees ?? post.mentionees ?? [])
    const store = async () => {
      await write(ctx, post, { edit: input, mentionees })
      await recordEdit(ctx, 'post', post)
    }
    if (judgement.rejecting.length > 0) await rejectPost(ctx, post, judgement, store)
    else if (post.isPublic && judgement.holding.length > 0) await holdPost(ctx, post, judgement, store)
    else {
      await store()
      await publishPost(ctx, post, {
        name: 'v3.post.didUpdate',
        deskName: 'desk.post.didEdit',
        atDesk: rulesOf(judgement.holding),
      })
      if (post.isPublic) await flagByRules(ctx, flaggablePost, { id: post.subjectId, rules: judgement.flagging })
    }
    await recordMatches(ctx, { kind: 'post', subjectId: post.subjectId }, judgement)
    await putItems(ctx, 'post', [post.subjectId])
    await muteAuthor(ctx, { kind: 'post', ...post }, judgement)
    return buildPostsEnvelope(ctx, [post.subjectId])
  })
}

/** Rules can't hold an attachment, which goes with its post, nor what was declined. */
async function judge(ctx: Ctx, post: LockedPost, data: unknown, mentionees: Comment['mentionees']): Promise<Judgement> {
  if (post.parentPostId !== null || post.feedType === 'declined') return UNJUDGED
  return judgeEdit(ctx, post, { kind: 'post', data, mentions: countMentioned(mentionees), media: post.dataTypes })
}

async function write(
  ctx: Ctx,
  post: LockedPost,
  { edit, mentionees }: { edit: PostEdit; mentionees: Comment['mentionees'] | undefined },
): Promise<void> {
  await execute(
    ctx,
    sql`
    update post set data = coalesce(${toJson(edit.data)}::jsonb, data), metadata = coalesce(${toJson(edit.metadata)}::jsonb, metadata),
      mentionees = coalesce(${toJson(mentionees)}::jsonb, mentionees), tags = coalesce(${edit.tags ?? null}::text[], tags),
      hashtags = coalesce(${edit.hashtags ?? null}::text[], hashtags),
      version = version + 1, edited_at = ${ctx.now()},
      updated_at = ${ctx.now()}
    where post_id = ${post.subjectId} and version = ${post.version}`,
  )
}

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
