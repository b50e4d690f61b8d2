import type { Ctx } from '#server/core/ctx.ts'
import type { CommentsEnvelope } from '#server/modules/comments/schema.ts'
import { type Happening, recordEvent } from '#server/modules/events/record-event.ts'
import type { EventName } from '#server/modules/events/schema.ts'

interface Told {
  /** As it was before the change, or as it was written. */
  comment: { commentId: string; communityId: string | null; approvalStatus: 'pending' | 'approved' | 'rejected' | null }
  /** As everyone sees it. */
  envelope: CommentsEnvelope
  /** What is told beside it. */
  also?: Record<string, string>
  name: EventName
  /** The desk's own name for it, where nobody outside is told. */
  deskName: `desk.${string}`
}

export async function tellComment(ctx: Ctx, told: Told): Promise<void> {
  await recordEvent(ctx, happeningTo(told))
}

/** One that waits, or was declined, is told to desks alone, and by its id: whoever may see it reads it there. */
export function happeningTo({ comment, envelope, also, name, deskName }: Told): Happening {
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
