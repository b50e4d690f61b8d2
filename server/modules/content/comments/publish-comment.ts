import type { Ctx } from '#server/core/ctx.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { type NewEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'

interface Change {
  /** As it was before the change, or as it was written. */
  comment: { commentId: string; communityId: string | null; approvalStatus: 'pending' | 'approved' | 'rejected' | null }
  /** As everyone sees it. */
  envelope: CommentsEnvelope
  /** Published in addition. */
  also?: Record<string, string>
  name: EventName
  /** The desk's own event name, where no outside event is published. */
  deskName: `desk.${string}`
}

export async function publishComment(ctx: Ctx, change: Change): Promise<void> {
  await recordEvent(ctx, commentEvent(change))
}

/** A pending or declined comment is published to desks only, and by its id: those who may see it read it there. */
export function commentEvent({ comment, envelope, also, name, deskName }: Change): NewEvent {
  const isDeskOnly = comment.approvalStatus === 'pending' || comment.approvalStatus === 'rejected'
  return {
    name: isDeskOnly ? deskName : name,
    subjectType: 'comment',
    subjectId: comment.commentId,
    communityId: comment.communityId,
    payload: isDeskOnly ? { commentId: comment.commentId } : { ...envelope, ...also },
    isDeskOnly,
  }
}
