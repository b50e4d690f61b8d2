import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import type { OpenChannelInput } from '#server/modules/desk/messages/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { mayKnowChannel, mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'

/** How long an opened conversation stays readable; after that a new reason is needed. */
const OPEN_FOR_MS = 30 * 60_000
const OPENED = 'channel.opened'

/**
 * Opens a conversation for those who may read conversations; the log keeps who did so and why. Fails with NOT_FOUND for a channel they may
 * not see or that is not a conversation, FORBIDDEN without the permission (docs/interface/permissions.md#conversations).
 */
export function openConversation(ctx: Ctx, { channelId, reason }: OpenChannelInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const channel = await queryOne(
      ctx,
      sql`
      select true as found from channel c
      where c.channel_id = ${channelId} and c.type = 'conversation' and ${mayKnowChannel(ctx)}`,
    )
    if (channel === undefined) throw new DomainError('NOT_FOUND')
    if (!holds(ctx, 'READ_CONVERSATIONS')) throw new DomainError('FORBIDDEN')
    await recordAudit(ctx, { action: OPENED, subjectType: 'channel', subjectId: channelId, channelId, text: reason })
  })
}

/**
 * Requires that the caller may read the messages of a channel at the desk: of an ordinary channel with read access, of a conversation, even
 * as a member, only once they opened it. Fails with NOT_FOUND and FORBIDDEN. Uses audit_subject_type_subject_id_audit_id_idx.
 */
export async function requireOpen(ctx: Ctx, channelId: string): Promise<{ isConversation: boolean }> {
  const channel = await queryOne<{ isConversation: boolean; isReadable: boolean; wasOpened: boolean }>(
    ctx,
    sql`
    select c.type = 'conversation' as is_conversation, ${mayReadChannel(ctx)} as is_readable,
      exists (
        select from audit a
        where a.subject_type = 'channel' and a.subject_id = c.channel_id and a.action = ${OPENED}
          and a.actor_id = ${actingUserId(ctx) ?? null} and a.at > ${new Date(ctx.now().getTime() - OPEN_FOR_MS)}) as was_opened
    from channel c where c.channel_id = ${channelId} and ${mayKnowChannel(ctx)}`,
  )
  if (channel === undefined) throw new DomainError('NOT_FOUND')
  const { isConversation, isReadable, wasOpened } = channel
  const isOpen = isConversation ? wasOpened && holds(ctx, 'READ_CONVERSATIONS') : isReadable
  if (!isOpen) throw new DomainError('FORBIDDEN')
  return { isConversation }
}
