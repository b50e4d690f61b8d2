import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { type LockedPost, lockPost } from '#server/modules/content/posts/lock-post.ts'
import { publishPost } from '#server/modules/content/posts/post-event.ts'
import type { PostEdit, PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { assertMayEdit } from '#server/modules/content/reviewable/lock-content.ts'
import { recordEdit } from '#server/modules/content/reviewable/record-change.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'

/**
 * Edits a post; reviewers see that it changed. For its author, unless they are banned, and for EDIT_COMMUNITY_POST there. Fails with
 * NOT_FOUND, BANNED, FORBIDDEN (also for a deleted one), BLOCKED_WORD and LINK_NOT_ALLOWED.
 */
export function editPost(ctx: Ctx, input: PostEdit & { postId: string }): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const post = await lockPost(ctx, input.postId)
    assertMayEdit(post)
    await assertTextAllowed(ctx, [input.data, input.tags, input.hashtags])

    await write(ctx, post, input)
    await recordEdit(ctx, 'post', post)
    await publishPost(ctx, post, { name: 'v3.post.didUpdate', deskName: 'desk.post.didEdit' })
    return buildPostsEnvelope(ctx, [post.subjectId])
  })
}

async function write(ctx: Ctx, post: LockedPost, edit: PostEdit): Promise<void> {
  const mentionees = edit.mentionees && (await readMentioned(ctx, edit.mentionees))
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
