import type { Ctx } from '#server/core/ctx.ts'
import { answerEveryone } from '#server/modules/posts/answer-posts.ts'

/** INTERFACE.md, Events: what the world is told of a post, in thirteen arrays, as everyone sees it. */
export async function toldOfPost(ctx: Ctx, postId: string) {
  const envelope = await answerEveryone(ctx, [postId])
  return { ...envelope, videoStreamings: [], videoStreamingChildren: [], rooms: [], roomChildrens: [] }
}
