import { openConversation } from '#server/modules/desk/messages/open-conversation.ts'
import { readMessageAround } from '#server/modules/desk/messages/read-around.ts'
import { removeMessage, restoreRemovedMessage } from '#server/modules/desk/messages/remove-message.ts'
import { AroundInput, DeskMessagesInput, MessageInput, OpenChannelInput } from '#server/modules/desk/messages/schema.ts'
import { searchDeskMessages } from '#server/modules/desk/messages/search-messages.ts'
import { procedure, router } from '#server/trpc/init.ts'

const readsAnywhere = procedure.meta({ readsAnywhere: true })

/** Flags are cleared as reports are: `review.decide`. */
export const messagesRouter = router({
  search: readsAnywhere.input(DeskMessagesInput).query(({ ctx, input }) => searchDeskMessages(ctx, input)),
  around: readsAnywhere.input(AroundInput).query(({ ctx, input }) => readMessageAround(ctx, input)),
  open: procedure.input(OpenChannelInput).mutation(({ ctx, input }) => openConversation(ctx, input)),
  delete: procedure.input(MessageInput).mutation(({ ctx, input }) => removeMessage(ctx, input)),
  bringBack: procedure.input(MessageInput).mutation(({ ctx, input }) => restoreRemovedMessage(ctx, input)),
})
