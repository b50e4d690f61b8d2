import { Deleted, DeleteQuery } from '#server/modules/comments/schema.ts'
import { clearFlags, flag, isFlaggedByMe, unflag } from '#server/modules/flags/flag.ts'
import { FlaggedByMe, NewFlag } from '#server/modules/flags/schema.ts'
import { createMessage } from '#server/modules/messages/create-message.ts'
import { deleteMessage } from '#server/modules/messages/delete-message.ts'
import { flaggableMessage } from '#server/modules/messages/flaggable-message.ts'
import { listMessages } from '#server/modules/messages/list-messages.ts'
import { readMessage } from '#server/modules/messages/read-message.ts'
import {
  MessageParams,
  MessagesEnvelope,
  MessagesPage,
  MessagesQuery,
  NewMessage,
} from '#server/modules/messages/schema.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

/** WIRE.md, sections 2 and 9a: messages, and what people say of them. */
export const messageRoutes: RestPlugin = async (app) => {
  const one = { params: MessageParams, response: { 200: MessagesEnvelope } }

  app.get(
    '/api/v5/messages',
    { schema: { querystring: MessagesQuery, response: { 200: MessagesPage } } },
    ({ ctx, query }) => listMessages(ctx, query),
  )

  app.post('/api/v5/messages', { schema: { body: NewMessage, response: { 200: MessagesEnvelope } } }, ({ ctx, body }) =>
    createMessage(ctx, body),
  )

  app.get('/api/v5/messages/:messageId', { schema: one }, ({ ctx, params }) => readMessage(ctx, params))

  app.delete(
    '/api/v5/messages/:messageId',
    { schema: { params: MessageParams, querystring: DeleteQuery, response: { 200: Deleted } } },
    async ({ ctx, params, query }) => {
      await deleteMessage(ctx, { ...params, ...query })
      return { success: true } as const
    },
  )

  app.post('/api/v5/messages/:messageId/flags', { schema: { ...one, body: NewFlag } }, ({ ctx, params, body }) =>
    flag(ctx, flaggableMessage, { id: params.messageId, flag: body }),
  )

  app.delete('/api/v5/messages/:messageId/flags', { schema: one }, ({ ctx, params }) =>
    unflag(ctx, flaggableMessage, { id: params.messageId }),
  )

  app.delete('/api/v5/messages/:messageId/flags/all', { schema: one }, ({ ctx, params }) =>
    clearFlags(ctx, flaggableMessage, { id: params.messageId }),
  )

  app.get(
    '/api/v5/messages/:messageId/flags',
    { schema: { params: MessageParams, response: { 200: FlaggedByMe } } },
    async ({ ctx, params }) => ({ result: await isFlaggedByMe(ctx, flaggableMessage, { id: params.messageId }) }),
  )
}
