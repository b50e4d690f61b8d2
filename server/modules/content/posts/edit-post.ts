import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import { keepReports } from '#server/modules/content/flags/keep-reports.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { type LockedPost, lockPost } from '#server/modules/content/posts/lock-post.ts'
import { publishPost } from '#server/modules/content/posts/publish-post.ts'
import type { PostEdit, PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'

/**
 * Edits a post; reviewers see that it changed. For its author, unless they are banned, and for EDIT_COMMUNITY_POST there. Fails with
 * NOT_FOUND, BANNED, FORBIDDEN (also for a deleted one), BLOCKED_WORD and LINK_NOT_ALLOWED.
 */
export function editPost(ctx: Ctx, input: PostEdit & { postId: string }): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const post = await lockPost(ctx, input.postId)
    if (post.isBanned) throw new DomainError('BANNED')
    if (post.isDeleted || !(post.isOwn || post.mayEdit)) throw new DomainError('FORBIDDEN')
    await assertTextAllowed(ctx, [input.data, input.tags, input.hashtags])

    const { flagCount } = await write(ctx, post, input)
    if (flagCount > 0) await keepReports(ctx, 'post', [post.postId])
    await recordAudit(ctx, {
      action: 'post.edited',
      subjectType: 'post',
      subjectId: post.postId,
      communityId: post.communityId,
      before: { version: post.version },
      after: { version: post.version + 1 },
    })
    await publishPost(ctx, { post, name: 'v3.post.didUpdate', deskName: 'desk.post.didEdit' })
    return buildPostsEnvelope(ctx, [post.postId])
  })
}

async function write(ctx: Ctx, post: LockedPost, edit: PostEdit): Promise<{ flagCount: number }> {
  const mentionees = edit.mentionees && (await readMentioned(ctx, edit.mentionees))
  const written = await queryOne<{ flagCount: number }>(
    ctx,
    Prisma.sql`
    update post set data = coalesce(${toJson(edit.data)}::jsonb, data), metadata = coalesce(${toJson(edit.metadata)}::jsonb, metadata),
      mentionees = coalesce(${toJson(mentionees)}::jsonb, mentionees), tags = coalesce(${edit.tags ?? null}::text[], tags),
      hashtags = coalesce(${edit.hashtags ?? null}::text[], hashtags), version = version + 1, edited_at = ${ctx.now()},
      updated_at = ${ctx.now()}
    where post_id = ${post.postId} and version = ${post.version} returning flag_count as "flagCount"`,
  )
  return written ?? { flagCount: 0 }
}

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
