import type { Ctx } from '#server/core/ctx.ts'
import { buildPublicCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { postPayload } from '#server/modules/content/posts/post-payload.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { type NewEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'

/** Comments and posts as everyone sees them. */
const PAYLOADS = {
  comment: (ctx: Ctx, commentId: string): Promise<object> => buildPublicCommentsEnvelope(ctx, [commentId]),
  post: (ctx: Ctx, postId: string): Promise<object> => postPayload(ctx, postId),
}

/** Content as it was before the change, or as it was written. */
type PublishedContent = Pick<LockedContent, 'subjectId' | 'communityId' | 'isPublic'>

interface ContentChange {
  name: EventName
  /** The desk's own event name, where no outside event is published. */
  deskName: `desk.${string}`
  /** Published in addition. */
  also?: Record<string, string>
  /** What is published, if it has been read already. */
  payload?: object
}

/** Publishes a change to a comment or post. */
export async function publishContent(
  ctx: Ctx,
  type: keyof typeof PAYLOADS,
  content: PublishedContent,
  change: ContentChange,
): Promise<void> {
  await recordEvent(ctx, await contentEvent(ctx, type, content, change))
}

/** The event of a change. What is held or rejected is published to desks only, and by its id: those who may see it read it there. */
export async function contentEvent(
  ctx: Ctx,
  type: keyof typeof PAYLOADS,
  { subjectId, communityId, isPublic }: PublishedContent,
  { name, deskName, also, payload }: ContentChange,
): Promise<NewEvent> {
  return {
    name: isPublic ? name : deskName,
    subjectType: type,
    subjectId,
    communityId,
    payload: isPublic
      ? { ...(payload ?? (await PAYLOADS[type](ctx, subjectId))), ...also }
      : { [`${type}Id`]: subjectId },
    isDeskOnly: !isPublic,
  }
}
