import type { Ctx } from '#server/core/ctx.ts'
import { postPayload } from '#server/modules/content/posts/post-payload.ts'
import { type NewEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'

interface Change {
  post: { postId: string; communityId: string | null; feedType: 'reviewing' | 'published' | 'declined' }
  name: EventName
  /** Published in addition. */
  also?: Record<string, string>
  /** The desk's own event name, where no outside event is published. */
  deskName: `desk.${string}`
}

export async function publishPost(ctx: Ctx, change: Change): Promise<void> {
  await recordEvent(ctx, await postEvent(ctx, change))
}

/** A pending or declined post is published to desks only, and by its id: those who may see it read it there. */
export async function postEvent(ctx: Ctx, { post, name, also, deskName }: Change): Promise<NewEvent> {
  const isDeskOnly = post.feedType !== 'published'
  return {
    name: isDeskOnly ? deskName : name,
    subjectType: 'post',
    subjectId: post.postId,
    communityId: post.communityId,
    payload: isDeskOnly ? { postId: post.postId } : { ...(await postPayload(ctx, post.postId)), ...also },
    isDeskOnly,
  }
}
