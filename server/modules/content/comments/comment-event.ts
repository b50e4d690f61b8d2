import type { Ctx } from '#server/core/ctx.ts'
import { buildPublicCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import {
  type ContentChange,
  contentEvent,
  type PublishedContent,
} from '#server/modules/content/reviewable/content-event.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'

/** The event of a change to a comment, which contains it as everyone sees it. */
export function commentEvent(ctx: Ctx, comment: PublishedContent, change: ContentChange): Promise<NewEvent> {
  return contentEvent('comment', comment, change, () => buildPublicCommentsEnvelope(ctx, [comment.subjectId]))
}
