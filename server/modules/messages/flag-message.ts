import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordEvent } from '#server/modules/events/record-event.ts'
import {
  addFlag,
  clearFlags,
  type FlagSubject,
  isFlaggedByCaller,
  removeFlag,
} from '#server/modules/flags/flag-subject.ts'
import type { NewFlag } from '#server/modules/flags/schema.ts'
import { answerEveryone, answerMessages } from '#server/modules/messages/answer-messages.ts'
import { hideMessage } from '#server/modules/messages/delete-message.ts'
import { type FoundMessage, findMessage, lockMessage } from '#server/modules/messages/lock-message.ts'
import type { MessagesEnvelope } from '#server/modules/messages/schema.ts'

interface ThisMessage {
  messageId: string
}

/**
 * Flags a message for the caller; once is enough. With as many flags as its channel allows it is deleted. Fails as `lockMessage`
 * does, and with FORBIDDEN for an admin token.
 */
export function flagMessage(ctx: Ctx, { messageId, flag }: ThisMessage & { flag: NewFlag }): Promise<MessagesEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const message = await lockMessage(ctx, messageId)
    const flags = await addFlag(ctx, subjectOf(message), flag)
    const isTooMany = flags !== undefined && message.flagLimit !== null && flags >= message.flagLimit
    if (isTooMany && !message.isDeleted) await hideMessage(ctx, message, 'message.deletedByFlags')
    return tell(ctx, message, { isChanged: flags !== undefined, name: 'message.didFlag' })
  })
}

/** Takes the caller's flag back. Fails as `lockMessage` does, and with FORBIDDEN for an admin token. */
export function unflagMessage(ctx: Ctx, { messageId }: ThisMessage): Promise<MessagesEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const message = await lockMessage(ctx, messageId)
    return tell(ctx, message, { isChanged: await removeFlag(ctx, subjectOf(message)), name: 'message.didUnflag' })
  })
}

/** Takes everybody's flags away: for those who may delete it. Fails as `lockMessage` does, and with FORBIDDEN. */
export function clearMessageFlags(ctx: Ctx, { messageId }: ThisMessage): Promise<MessagesEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const message = await lockMessage(ctx, messageId)
    if (!message.mayDelete) throw new DomainError('FORBIDDEN')
    return tell(ctx, message, { isChanged: await clearFlags(ctx, subjectOf(message)), name: 'message.didClearflag' })
  })
}

export async function isMessageFlaggedByMe(ctx: Ctx, { messageId }: ThisMessage): Promise<boolean> {
  await findMessage(ctx, messageId)
  return isFlaggedByCaller(ctx, { type: 'message', id: messageId })
}

function subjectOf({ messageId, channelId }: FoundMessage): FlagSubject {
  return { type: 'message', id: messageId, channelId }
}

async function tell(
  ctx: Ctx,
  { messageId }: FoundMessage,
  { isChanged, name }: { isChanged: boolean; name: string },
): Promise<MessagesEnvelope> {
  if (isChanged) {
    const payload = await answerEveryone(ctx, [messageId])
    await recordEvent(ctx, { name, subjectType: 'message', subjectId: messageId, payload: { ...payload } })
  }
  return answerMessages(ctx, [messageId])
}
