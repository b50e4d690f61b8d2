import { asOwner, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { eraseSubjects } from '#server/modules/content/flags/erase-subjects.ts'
import { buildPublicMessagesEnvelope } from '#server/modules/content/messages/build-messages-envelope.ts'
import { type FoundMessage, lockMessage } from '#server/modules/content/messages/lock-message.ts'
import { writeDeletionStatement } from '#server/modules/content/reviewable/removal-statements.ts'
import { withdrawHidden, withdrawnIf } from '#server/modules/content/withdraw-hidden.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordDelta } from '#server/modules/ledger/counts/record-delta.ts'
import { type NewEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'

/**
 * Deletes a message: for its author and for DELETE_MESSAGE in its channel. `permanent` leaves nothing of it but the log. Deleting a deleted
 * message changes nothing, except that nothing makes it visible again once its author has deleted it. Fails as `lockMessage` does, and with
 * FORBIDDEN. With `ownerId`, its author's, it is deleted as part of an erasure: then it is found in any space.
 */
export function deleteMessage(
  ctx: Ctx,
  input: { messageId: string; permanent: boolean },
  ownerId?: string,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const message = await lockMessage(asOwner(ctx, ownerId), input.messageId)
    if (!message.isOwn && !message.mayDelete) throw new DomainError('FORBIDDEN')
    if (message.isDeleted && !input.permanent)
      return withdrawHidden(ctx, 'message', { ...message, subjectId: message.messageId })

    await takeAway(ctx, message, {
      action: input.permanent ? 'message.erased' : 'message.deleted',
      isOwn: message.isOwn,
    })
    if (input.permanent) await eraseSubjects(ctx, 'message', sql`message_id = ${message.messageId}`)
  })
}

interface Removal {
  action: string
  /** Its author deletes it: nothing makes it visible again. */
  isOwn: boolean
  /** It has as many reports as its channel allows. */
  isByReports?: boolean
}

/** Deletes a locked message, and publishes that. */
export async function takeAway(
  ctx: Ctx,
  message: FoundMessage,
  { action, isOwn, isByReports = false }: Removal,
): Promise<void> {
  await hideMessage(ctx, message, { isOwn })
  const subject = { subjectType: 'message', subjectId: message.messageId }
  await recordAudit(ctx, { ...subject, action, channelId: message.channelId, after: { isDeleted: true } })
  const { eventId } = await recordEvent(ctx, { ...(await messageDeleted(ctx, message)), holdForMs: ctx.undoWindowMs })
  const content = { type: 'message', subjectId: message.messageId, communityId: null } as const
  if (!message.isDeleted) await writeDeletionStatement(ctx, content, { isOwn, isByReports, eventId })
}

export async function messageDeleted(ctx: Ctx, { messageId }: FoundMessage): Promise<NewEvent> {
  const payload = await buildPublicMessagesEnvelope(ctx, [messageId])
  return { name: 'v5.message.didDelete', subjectType: 'message', subjectId: messageId, payload: { ...payload } }
}

/** As if it were new: who reads the channel hasn't seen it for some time. */
export async function messageRestored(ctx: Ctx, { messageId }: FoundMessage): Promise<NewEvent> {
  const payload = await buildPublicMessagesEnvelope(ctx, [messageId])
  return { name: 'v5.message.didCreate', subjectType: 'message', subjectId: messageId, payload: { ...payload } }
}

/** Removes it from the counts and as the latest message of its channel and feed; publishes no event. */
export async function hideMessage(ctx: Ctx, message: FoundMessage, { isOwn } = { isOwn: false }): Promise<void> {
  await setDeleted(ctx, message, { isDeleted: true, isOwn })
  if (message.isDeleted) return
  await showLatest(ctx, message, -1)
  await recordDelta(ctx, 'channel_messages', message.channelId, -1)
}

/** Undoes `hideMessage`. */
export async function restoreMessage(ctx: Ctx, message: FoundMessage): Promise<void> {
  await setDeleted(ctx, message, { isDeleted: false, isOwn: false })
  await showLatest(ctx, message, 1)
  await recordDelta(ctx, 'channel_messages', message.channelId, 1)
}

async function setDeleted(
  ctx: Ctx,
  { messageId }: FoundMessage,
  { isDeleted, isOwn }: { isDeleted: boolean; isOwn: boolean },
): Promise<void> {
  const [changed] = await query<{ flagCount: number }>(
    ctx,
    sql`
    update message set is_deleted = ${isDeleted}, updated_at = ${ctx.now()},
      ${withdrawnIf(ctx, isOwn)}
    where message_id = ${messageId}
    returning flag_count`,
  )
  if (changed && changed.flagCount > 0) await keepReports(ctx, 'message', [messageId])
}

/** Recomputes the latest message where this one was it or is it again; uses message_in_channel. */
async function showLatest(
  ctx: Ctx,
  { messageId, channelId, messageFeedId, parentId }: FoundMessage,
  delta: 1 | -1,
): Promise<void> {
  const inChannel = sql`
    select m.message_id from message m
    where m.channel_id = ${channelId} and not m.is_deleted`
  const newest = sql`order by m.created_at desc, m.message_id limit 1`
  const latest = sql`(${inChannel} ${newest})`
  const latestInFeed = sql`(
    ${inChannel} and coalesce(m.message_feed_id, channel.internal_id) = ${messageFeedId} ${newest})`
  const isLatest = (shown: string, latestNow: Sql) =>
    sql`(${sql.raw(shown)} = ${messageId} or ${messageId} = ${latestNow})`
  await execute(
    ctx,
    sql`
    with feed as (
      update message_feed f set child_count = greatest(f.child_count + ${delta}, 0),
        last_message_id = case when ${isLatest('f.last_message_id', latestInFeed)} then ${latestInFeed} else f.last_message_id end,
        message_preview_id = case when ${isLatest('f.message_preview_id', latestInFeed)} then ${latestInFeed} else f.message_preview_id end
      from channel where f.message_feed_id = ${messageFeedId} and channel.channel_id = ${channelId}),
    parent as (
      update message set children_number = greatest(children_number + ${delta}, 0) where message_id = ${parentId})
    update channel set message_preview_id = ${latest} where channel_id = ${channelId} and ${isLatest('message_preview_id', latest)}`,
  )
}
