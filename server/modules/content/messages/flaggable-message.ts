import { type FlagChange, type Flaggable, flaggedBy } from '#server/modules/content/flags/flag.ts'
import {
  buildMessagesEnvelope,
  buildPublicMessagesEnvelope,
} from '#server/modules/content/messages/build-messages-envelope.ts'
import { takeAway } from '#server/modules/content/messages/delete-message.ts'
import { type FoundMessage, findMessage, lockMessage } from '#server/modules/content/messages/lock-message.ts'
import type { MessagesEnvelope } from '#server/modules/content/messages/schema.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'

const EVENT_OF = {
  didFlag: 'message.didFlag',
  didUnflag: 'message.didUnflag',
  didClearFlag: 'message.didClearflag',
} as const satisfies Record<FlagChange['verb'], EventName>

/** Anyone who may delete it may clear its flags. It is deleted once it has as many flags as its channel allows. */
export const flaggableMessage: Flaggable<FoundMessage, MessagesEnvelope> = {
  type: 'message',
  find: findMessage,
  lock: lockMessage,
  mayClear: ({ mayDelete }) => mayDelete,
  afterFlag: async (ctx, message, { verb, flagCount }) => {
    const isTooMany = verb === 'didFlag' && message.flagLimit !== null && flagCount >= message.flagLimit
    if (isTooMany && !message.isDeleted)
      await takeAway(ctx, message, { action: 'message.deletedByFlags', isOwn: false, isByReports: true })
  },
  eventOf: async (ctx, message, verb) => {
    const payload = await buildPublicMessagesEnvelope(ctx, [message.messageId])
    const subject = { subjectType: 'message', subjectId: message.messageId }
    return { ...subject, name: EVENT_OF[verb], payload: { ...payload, ...flaggedBy(ctx, verb) } }
  },
  answer: buildMessagesEnvelope,
}
