import type { Ctx } from '#server/core/ctx.ts'
import { postPayload } from '#server/modules/content/posts/post-payload.ts'
import {
  type ContentChange,
  contentEvent,
  type PublishedContent,
} from '#server/modules/content/reviewable/content-event.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'

export function postEvent(ctx: Ctx, post: PublishedContent, change: ContentChange): Promise<NewEvent> {
  return contentEvent('post', post, change, () => postPayload(ctx, post.subjectId))
}
