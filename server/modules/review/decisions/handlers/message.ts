import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { hideMessage, messageRestored, restoreMessage } from '#server/modules/content/messages/delete-message.ts'
import { type FoundMessage, lockModerated } from '#server/modules/content/messages/lock-message.ts'
import { MESSAGE_VERSIONS } from '#server/modules/content/messages/message-versions.ts'
import type {
  ReviewHandler,
  ReviewItem,
  Transition,
  TransitionResult,
} from '#server/modules/review/decisions/handlers/handler.ts'
import { withReasons } from '#server/modules/review/decisions/with-reasons.ts'
import { actingRulesOf } from '#server/modules/rules/judging/review-reasons.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'

interface RejectedMessage extends ReviewItem {
  message: FoundMessage
}

/** A message has no versions of its own, as it is never edited: this one while it is rejected, the next once it is restored. */
export const REJECTED_VERSION = MESSAGE_VERSIONS.deleted

/** A message that rules rejected, and that its moderators restore. Messages are never held. */
export const messageHandler: ReviewHandler<RejectedMessage, 'approved' | 'rejected'> = {
  kind: 'held',
  lock,
  move,
  toAuditState: (state) => ({ isDeleted: state === 'approved' ? 'false' : 'true' }),
  publish: async (ctx, { subjectId, message }) => {
    const found = await queryOne<{ actingRules: ReviewReason[] | null }>(
      ctx,
      sql`select ${actingRulesOf(contentOf(subjectId))} as acting_rules`,
    )
    return { event: withReasons(await messageRestored(ctx, message), found?.actingRules ?? null) }
  },
}

function contentOf(messageId: string) {
  return { subjectType: sql`'message'`, subjectId: sql`${messageId}`, editedAt: sql`null::timestamptz` }
}

/** NOT_FOUND for anyone but moderators of its channel. */
async function lock(ctx: Ctx, messageId: string): Promise<RejectedMessage> {
  const message = await lockModerated(ctx, messageId)
  const { channelId, authorId, isDeleted } = message
  return {
    subjectId: messageId,
    communityId: null,
    channelId,
    authorId,
    version: isDeleted ? REJECTED_VERSION : REJECTED_VERSION + 1,
    isWaiting: false,
    mayReview: message.mayDelete && authorId !== actingUserId(ctx),
    message,
  }
}

/** Between rejected and restored only, both ways. */
async function move(
  ctx: Ctx,
  { message }: RejectedMessage,
  { from, to }: Transition<'approved' | 'rejected'>,
): Promise<TransitionResult | undefined> {
  const isRestored = from === 'rejected' && to === 'approved'
  if (isRestored && message.isWithdrawn) return undefined
  if (message.isDeleted !== isRestored || from === 'waiting' || to === 'waiting') return undefined
  await (isRestored ? restoreMessage : hideMessage)(ctx, message)
  return queryOne<TransitionResult>(
    ctx,
    sql`
    select ${isRestored ? REJECTED_VERSION + 1 : REJECTED_VERSION}::int as version, text_digest(data) as text_digest
    from message where message_id = ${message.messageId}`,
  )
}
