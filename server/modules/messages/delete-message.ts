import { asOwner, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import { recordDelta } from '#server/modules/counts/record-delta.ts'
import { recordEvent } from '#server/modules/events/record-event.ts'
import { answerEveryone } from '#server/modules/messages/answer-messages.ts'
import { type FoundMessage, lockMessage } from '#server/modules/messages/lock-message.ts'

/**
 * Deletes a message: for its author and for DELETE_MESSAGE in its channel. `permanent` leaves nothing of it but the log. Deleting
 * what is deleted changes nothing. Fails as `lockMessage` does, and with FORBIDDEN.
 * With `ownerId`, its author's, it goes with all that is theirs: then it is found wherever it is.
 */
export function deleteMessage(
  ctx: Ctx,
  input: { messageId: string; permanent: boolean },
  ownerId?: string,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const message = await lockMessage(asOwner(ctx, ownerId), input.messageId)
    if (!message.isOwn && !message.mayDelete) throw new DomainError('FORBIDDEN')
    if (message.isDeleted && !input.permanent) return

    await hideMessage(ctx, message, input.permanent ? 'message.erased' : 'message.deleted')
    if (input.permanent) await erase(ctx, message)
  })
}

/** Deletes a locked message: out of the counts, and no longer the latest that its channel and feed show. */
export async function hideMessage(ctx: Ctx, message: FoundMessage, action: string): Promise<void> {
  await query(
    ctx,
    Prisma.sql`
    update message set is_deleted = true, updated_at = ${ctx.now()} where message_id = ${message.messageId} returning message_id`,
  )
  if (!message.isDeleted) {
    await showLatest(ctx, message)
    await recordDelta(ctx, 'channel_messages', message.channelId, -1)
  }
  const subject = { subjectType: 'message', subjectId: message.messageId }
  await recordAudit(ctx, { ...subject, action, channelId: message.channelId, after: { isDeleted: true } })
  const payload = await answerEveryone(ctx, [message.messageId])
  await recordEvent(ctx, { ...subject, name: 'v5.message.didDelete', payload: { ...payload } })
}

/** Of what is left; uses message_in_channel. */
async function showLatest(ctx: Ctx, { messageId, channelId, messageFeedId, parentId }: FoundMessage): Promise<void> {
  const latest = Prisma.sql`(
    select m.message_id from message m where m.channel_id = ${channelId} and not m.is_deleted
    order by m.created_at desc, m.message_id limit 1)`
  const latestInFeed = Prisma.sql`(
    select m.message_id from message m
    where m.channel_id = ${channelId} and not m.is_deleted and coalesce(m.message_feed_id, channel.internal_id) = ${messageFeedId}
    order by m.created_at desc, m.message_id limit 1)`
  await query(
    ctx,
    Prisma.sql`
    with feed as (
      update message_feed f set child_count = greatest(f.child_count - 1, 0),
        last_message_id = case when f.last_message_id = ${messageId} then ${latestInFeed} else f.last_message_id end,
        message_preview_id = case when f.message_preview_id = ${messageId} then ${latestInFeed} else f.message_preview_id end
      from channel where f.message_feed_id = ${messageFeedId} and channel.channel_id = ${channelId}),
    parent as (
      update message set children_number = greatest(children_number - 1, 0) where message_id = ${parentId})
    update channel set message_preview_id = ${latest} where channel_id = ${channelId} and message_preview_id = ${messageId}
    returning 1`,
  )
}

async function erase(ctx: Ctx, { messageId }: FoundMessage): Promise<void> {
  await query(
    ctx,
    Prisma.sql`
    with flags as (delete from flag where subject_type = 'message' and subject_id = ${messageId}),
    reactions as (delete from reaction where subject_type = 'message' and subject_id = ${messageId})
    delete from message where message_id = ${messageId} returning 1`,
  )
}
