import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import {
  addFlag,
  clearFlags,
  type FlagSubject,
  isFlaggedByCaller,
  removeFlag,
} from '#server/modules/flags/flag-subject.ts'
import type { NewFlag } from '#server/modules/flags/schema.ts'
import { answerPosts } from '#server/modules/posts/answer-posts.ts'
import { type LockedPost, lockPost } from '#server/modules/posts/lock-post.ts'
import { markFlagged } from '#server/modules/posts/mark-flagged.ts'
import { findPost } from '#server/modules/posts/read-post.ts'
import type { PostsEnvelope } from '#server/modules/posts/schema.ts'
import { tellPost } from '#server/modules/posts/tell-post.ts'

interface ThisPost {
  postId: string
}

/** Flags a post for the caller; once is enough. Fails with NOT_FOUND, and with FORBIDDEN for an admin token. */
export function flagPost(ctx: Ctx, { postId, flag }: ThisPost & { flag: NewFlag }): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const post = await lockPost(ctx, postId)
    const isNew = (await addFlag(ctx, subjectOf(post), flag)) !== undefined
    return tell(ctx, post, { isChanged: isNew, name: 'didFlag' })
  })
}

/** Takes the caller's flag back. Fails with NOT_FOUND, and with FORBIDDEN for an admin token. */
export function unflagPost(ctx: Ctx, { postId }: ThisPost): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const post = await lockPost(ctx, postId)
    return tell(ctx, post, { isChanged: await removeFlag(ctx, subjectOf(post)), name: 'didUnflag' })
  })
}

/** Takes everybody's flags away: for those who may delete it. Fails with NOT_FOUND and FORBIDDEN. */
export function clearPostFlags(ctx: Ctx, { postId }: ThisPost): Promise<PostsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const post = await lockPost(ctx, postId)
    if (!post.mayDelete) throw new DomainError('FORBIDDEN')
    return tell(ctx, post, { isChanged: await clearFlags(ctx, subjectOf(post)), name: 'didClearFlag' })
  })
}

export async function isPostFlaggedByMe(ctx: Ctx, { postId }: ThisPost): Promise<boolean> {
  await findPost(ctx, postId)
  return isFlaggedByCaller(ctx, { type: 'post', id: postId })
}

function subjectOf({ postId, communityId }: LockedPost): FlagSubject {
  return { type: 'post', id: postId, communityId }
}

async function tell(
  ctx: Ctx,
  post: LockedPost,
  { isChanged, name }: { isChanged: boolean; name: 'didFlag' | 'didUnflag' | 'didClearFlag' },
): Promise<PostsEnvelope> {
  if (isChanged) {
    await markFlagged(ctx, post)
    await tellPost(ctx, { post, name: `v3.post.${name}`, deskName: `desk.post.${name}` })
  }
  return answerPosts(ctx, [post.postId])
}
