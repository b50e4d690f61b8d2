import { asOwner, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { keepReports } from '#server/modules/content/flags/keep-reports.ts'
import { countPost } from '#server/modules/content/posts/count-post.ts'
import { type LockedPost, lockPost } from '#server/modules/content/posts/lock-post.ts'
import { markFlagged } from '#server/modules/content/posts/mark-flagged.ts'
import { publishPost } from '#server/modules/content/posts/publish-post.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/**
 * Deletes a post with its attachments; a pending one leaves the review feed. For its author and for DELETE_COMMUNITY_POST there.
 * `permanent` leaves nothing of it but the log; comments on it stay. Deleting a deleted post changes nothing. Fails with NOT_FOUND and
 * FORBIDDEN. With `ownerId`, its author's, it is deleted as part of an erasure: then it is found in any space.
 */
export function deletePost(ctx: Ctx, input: { postId: string; permanent: boolean }, ownerId?: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const post = await lockPost(asOwner(ctx, ownerId), input.postId)
    if (!post.isOwn && !post.mayDelete) throw new DomainError('FORBIDDEN')
    if (post.isDeleted && !input.permanent) return

    await hidePost(ctx, post)
    await recordAudit(ctx, {
      action: input.permanent ? 'post.erased' : 'post.deleted',
      subjectType: 'post',
      subjectId: post.postId,
      communityId: post.communityId,
      before: { feedType: post.feedType, version: post.version },
      after: { isDeleted: true },
    })
    await publishPost(ctx, { post, name: 'v3.post.didDelete', deskName: 'desk.post.didWithdraw' })
    if (input.permanent) await erase(ctx, post)
  })
}

/** Hides it and its attachments and removes them from the counts; publishes no event. */
export async function hidePost(ctx: Ctx, post: LockedPost): Promise<void> {
  const hidden = await query<Changed>(
    ctx,
    Prisma.sql`
    update post set is_deleted = true, version = version + 1, updated_at = ${ctx.now()}
    where (post_id = ${post.postId} or parent_post_id = ${post.postId}) and not is_deleted
    returning post_id as "postId", flag_count as "flagCount"`,
  )
  await noteFlagged(ctx, post, hidden)
  if (!post.isDeleted && post.parentPostId === null) await countPost(ctx, post, -1)
}

/** Undoes `hidePost`: attachments that were hidden with it are visible again. */
export async function restorePost(ctx: Ctx, post: LockedPost): Promise<void> {
  const restored = await query<Changed>(
    ctx,
    Prisma.sql`
    update post set is_deleted = false, version = post.version + 1, updated_at = ${ctx.now()}
    from (select post_id, updated_at from post where post_id = ${post.postId}) hidden
    where (post.post_id = hidden.post_id or post.parent_post_id = hidden.post_id and post.updated_at = hidden.updated_at) and post.is_deleted
    returning post.post_id as "postId", post.flag_count as "flagCount"`,
  )
  await noteFlagged(ctx, post, restored)
  if (post.parentPostId === null) await countPost(ctx, post, 1)
}

interface Changed {
  postId: string
  flagCount: number
}

async function noteFlagged(ctx: Ctx, post: LockedPost, changed: Changed[]): Promise<void> {
  const flagged = changed.filter(({ flagCount }) => flagCount > 0)
  if (flagged.length === 0) return
  await markFlagged(ctx, post)
  await keepReports(
    ctx,
    'post',
    flagged.map(({ postId }) => postId),
  )
}

async function erase(ctx: Ctx, { postId }: LockedPost): Promise<void> {
  await query(
    ctx,
    Prisma.sql`
    with gone as (delete from post where post_id = ${postId} or parent_post_id = ${postId} returning post_id),
    flags as (delete from flag using gone where subject_type = 'post' and subject_id = gone.post_id),
    reactions as (delete from reaction using gone where subject_type = 'post' and subject_id = gone.post_id)
    select post_id from gone`,
  )
}
