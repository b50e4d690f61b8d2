import type { Ctx } from '#server/core/ctx.ts'
import { buildMessagesEnvelope } from '#server/modules/content/messages/build-messages-envelope.ts'
import { findMessage } from '#server/modules/content/messages/lock-message.ts'
import type { MessagesEnvelope } from '#server/modules/content/messages/schema.ts'

/** One message, deleted or not. Fails as `findMessage` does. */
export async function readMessage(ctx: Ctx, { messageId }: { messageId: string }): Promise<MessagesEnvelope> {
  await findMessage(ctx, messageId)
  return buildMessagesEnvelope(ctx, [messageId])
}
