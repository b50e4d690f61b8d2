import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { eraseSubjects } from '#server/modules/content/flags/erase-subjects.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import { lockPostsOf, putItems } from '#server/modules/content/items/put-items.ts'
import { countPost } from '#server/modules/content/posts/count-post.ts'
import type { LockedPost } from '#server/modules/content/posts/lock-post.ts'
import { postKind } from '#server/modules/content/posts/post-kind.ts'
import { deleteContent } from '#server/modules/content/reviewable/delete-content.ts'
import { withdrawnIf } from '#server/modules/content/withdraw-hidden.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audit.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'

/**
 * Deletes a post with its attachments as `deleteContent` does; a pending one leaves the review feed, comments on it stay. For its author and for
 * DELETE_COMMUNITY_POST there. Fails with NOT_FOUND and FORBIDDEN.
 */
export function deletePost(
  ctx: Ctx,
  { postId, permanent }: { postId: string; permanent: boolean },
  ownerId?: string,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const attachedTo = permanent ? await lockPostsOf(ctx, [postId]) : []
    await deleteContent(ctx, postKind, { id: postId, permanent, ownerId, hide: hidePost, erase })
    await putItems(ctx, 'post', attachedTo)
  })
}

/** Erases the post with its attachments. The log names each of these too, as comments on them are still there. */
async function erase(ctx: Ctx, post: LockedPost): Promise<void> {
  const { subjectId: postId, communityId } = post
  const erased = await eraseSubjects(ctx, 'post', isPostOrChild(post))
  const attachmentIds = erased.filter((id) => id !== postId)
  await recordAudits(
    ctx,
    attachmentIds.map((subjectId) => ({
      action: 'post.removed',
      subjectType: 'post',
      subjectId,
      communityId,
      after: { isDeleted: true },
    })),
  )
}

/**
 * Hides it and its attachments and removes them from the counts; publishes no event. With `isOwn` its author does, and nothing makes it visible
 * again.
 */
export async function hidePost(ctx: Ctx, post: LockedPost, { isOwn } = { isOwn: false }): Promise<void> {
  const hidden = await query<Changed>(
    ctx,
    sql`
    update post set is_deleted = true, version = version + 1, updated_at = ${ctx.now()}, ${withdrawnIf(ctx, isOwn)}
    where ${isPostOrChild(post)} and not is_deleted
    returning post_id, flag_count`,
  )
  await noteChanged(ctx, post, hidden)
  if (!post.isDeleted && post.parentPostId === null) await countPost(ctx, post, -1)
}

/** Undoes `hidePost`: attachments that were hidden with it are visible again. */
export async function restorePost(ctx: Ctx, post: LockedPost): Promise<void> {
  const restored = await query<Changed>(
    ctx,
    sql`
    update post set is_deleted = false, version = post.version + 1, updated_at = ${ctx.now()}
    from (select post_id, updated_at from post where post_id = ${post.subjectId}) hidden
    where (post.post_id = hidden.post_id or post.parent_post_id = hidden.post_id and post.updated_at = hidden.updated_at) and post.is_deleted
    returning post.post_id, post.flag_count`,
  )
  await noteChanged(ctx, post, restored)
  if (post.parentPostId === null) await countPost(ctx, post, 1)
}

interface Changed {
  postId: string
  flagCount: number
}

async function noteChanged(ctx: Ctx, post: LockedPost, changed: Changed[]): Promise<void> {
  await putItems(ctx, 'post', [post.subjectId])
  const flagged = changed.filter(({ flagCount }) => flagCount > 0)
  if (flagged.length === 0) return
  await markFlagged(ctx, 'post', { communityId: post.communityId, postId: post.parentPostId })
  await keepReports(
    ctx,
    'post',
    flagged.map(({ postId }) => postId),
  )
}

function isPostOrChild({ subjectId }: LockedPost): Sql {
  return sql`(post_id = ${subjectId} or parent_post_id = ${subjectId})`
}
