import type { Ctx } from '#server/core/ctx.ts'
import { buildPublicCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import {
  type ContentChange,
  contentEvent,
  type PublishedContent,
} from '#server/modules/content/reviewable/content-event.ts'
import { type NewEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'

/** As everyone sees the comment, if it has been read already. */
type CommentChange = ContentChange & { envelope?: CommentsEnvelope }

export async function publishComment(ctx: Ctx, comment: PublishedContent, change: CommentChange): Promise<void> {
  await recordEvent(ctx, await commentEvent(ctx, comment, change))
}

export function commentEvent(ctx: Ctx, comment: PublishedContent, change: CommentChange): Promise<NewEvent> {
  const readPayload = async () => change.envelope ?? buildPublicCommentsEnvelope(ctx, [comment.subjectId])
  return contentEvent('comment', comment, change, readPayload)
}
