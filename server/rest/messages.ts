import { Deleted, DeleteQuery } from '#server/modules/content/comments/schema.ts'
import { createMessage } from '#server/modules/content/messages/create-message.ts'
import { deleteMessage } from '#server/modules/content/messages/delete-message.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { listFeeds } from '#server/modules/content/messages/list-feeds.ts'
import { listMessages } from '#server/modules/content/messages/list-messages.ts'
import { readFeed } from '#server/modules/content/messages/read-feed.ts'
import { readMessage } from '#server/modules/content/messages/read-message.ts'
import {
  FeedParams,
  FeedsParams,
  FeedsQuery,
  MessageParams,
  MessagesEnvelope,
  MessagesPage,
  MessagesQuery,
  NewMessage,
} from '#server/modules/content/messages/schema.ts'
import { flagRoutes } from '#server/rest/flag-routes.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

/** Messages and their flags: docs/interface/messages.md and docs/interface/reports-and-flags.md. */
export const messageRoutes: RestPlugin = async (app) => {
  const one = { params: MessageParams, response: { 200: MessagesEnvelope } }

  app.get(
    '/api/v5/messages',
    { schema: { querystring: MessagesQuery, response: { 200: MessagesPage } } },
    ({ ctx, query }) => listMessages(ctx, query),
  )

  app.get(
    '/api/v5/message-feeds/channel/:channelId',
    { schema: { params: FeedsParams, querystring: FeedsQuery, response: { 200: MessagesPage } } },
    ({ ctx, params, query }) => listFeeds(ctx, { ...query, ...params }),
  )

  app.get(
    '/api/v5/message-feeds/:messageFeedId',
    { schema: { params: FeedParams, response: { 200: MessagesEnvelope } } },
    ({ ctx, params }) => readFeed(ctx, params),
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

  for (const paths of FLAG_PATHS)
    flagRoutes(app, {
      paths,
      params: MessageParams.transform(({ messageId }) => ({ id: messageId })),
      envelope: MessagesEnvelope,
      flaggable: flaggableMessage,
    })
}

/** Version 3 has a separate path for each act, version 5 one path with several methods. */
const FLAG_PATHS = [
  {
    flag: '/api/v5/messages/:messageId/flags',
    unflag: '/api/v5/messages/:messageId/flags',
    clear: '/api/v5/messages/:messageId/flags/all',
    isMine: '/api/v5/messages/:messageId/flags',
  },
  {
    flag: '/api/v3/messages/:messageId/flag',
    unflag: '/api/v3/messages/:messageId/unflag',
    clear: '/api/v3/messages/:messageId/clearFlags',
    isMine: '/api/v3/messages/:messageId/isFlaggedByMe',
  },
] as const
