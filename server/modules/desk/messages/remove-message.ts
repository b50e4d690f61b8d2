import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { messageDeleted, restoreMessage, takeAway } from '#server/modules/content/messages/delete-message.ts'
import { type FoundMessage, lockMessage, lockModerated } from '#server/modules/content/messages/lock-message.ts'
import { requireOpen } from '#server/modules/desk/messages/open-conversation.ts'
import type { MessageInput } from '#server/modules/desk/messages/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { cancelEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { voidStatement } from '#server/modules/network/statements/write-statements.ts'

/** Deletes a message; deleting a deleted message changes nothing. Fails as `requireOpen` does, and with FORBIDDEN. */
export function removeMessage(ctx: Ctx, { messageId }: MessageInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const message = await lockTheirs(ctx, messageId)
    if (!message.isDeleted) await takeAway(ctx, message, { action: 'message.deleted', isOwn: false })
  })
}

/**
 * Restores a message while its deletion is not yet published. Fails as `takeMessage` does, and with CHANGED once that time is over, or where its
 * author deleted it too.
 */
export function restoreRemovedMessage(ctx: Ctx, { messageId }: MessageInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const message = await lockTheirs(ctx, messageId)
    const { name } = await messageDeleted(ctx, message)
    const subject = { subjectType: 'message', subjectId: messageId }
    // Uses event_held_subject.
    const pendingEvent = await queryOne<{ eventId: string }>(
      ctx,
      sql`
      select event_id::text as event_id from event
      where not is_desk_only and state = 'held' and subject_type = 'message' and subject_id = ${messageId} and name = ${name}
      order by event_id desc limit 1`,
    )
    const isRestorable = message.isDeleted && !message.isWithdrawn
    const isInTime = isRestorable && pendingEvent !== undefined && (await cancelEvent(ctx, pendingEvent.eventId))
    if (!isInTime) throw new DomainError('CHANGED')

    await voidStatement(ctx, { ...subject, ...pendingEvent })
    await restoreMessage(ctx, message)
    await recordAudit(ctx, {
      ...subject,
      action: 'message.undone',
      channelId: message.channelId,
      before: { isDeleted: true },
      after: { isDeleted: false },
    })
    await recordEvent(ctx, { ...subject, name: 'desk.message.didUndo', payload: {}, isDeskOnly: true })
  })
}

/** Locks a message for the caller; those who may open conversations can act in the ones they opened. */
async function lockTheirs(ctx: Ctx, messageId: string): Promise<FoundMessage> {
  const message = await (holds(ctx, 'READ_CONVERSATIONS') ? lockModerated : lockMessage)(ctx, messageId)
  if (!message.mayDelete) throw new DomainError('FORBIDDEN')
  await requireOpen(ctx, message.channelId)
  return message
}
