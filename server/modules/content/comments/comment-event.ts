import type { Ctx } from '#server/core/ctx.ts'
import { buildPublicCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import {
  type ContentChange,
  contentEvent,
  type PublishedContent,
} from '#server/modules/content/reviewable/content-event.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'

export function commentEvent(ctx: Ctx, comment: PublishedContent, change: ContentChange): Promise<NewEvent> {
  return contentEvent('comment', comment, change, () => buildPublicCommentsEnvelope(ctx, [comment.subjectId]))
}
