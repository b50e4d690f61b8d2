import type { Row } from '#server/testing/routes/row.ts'

/** Messages of a channel. */
export const MESSAGE_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'GET /api/v5/messages',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ messageFeedId }) => ({ query: { messageFeedId } }),
  },
  {
    route: 'GET /api/v5/messages',
    about: 'of a conversation of others',
    outcomes: [401, 404, 404, 404, 404, 404, 403, 403, 403, 401, 401, 401],
    request: ({ conversationFeedId }) => ({ query: { messageFeedId: conversationFeedId } }),
  },
  {
    route: 'GET /api/v5/message-feeds/channel/{channelId}',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v5/message-feeds/{messageFeedId}',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v5/message-feeds/{messageFeedId}',
    about: 'of a conversation of others',
    outcomes: [401, 404, 404, 404, 404, 404, 403, 403, 403, 401, 401, 401],
    request: ({ conversationFeedId }) => ({ path: { messageFeedId: conversationFeedId } }),
  },
  {
    route: 'POST /api/v5/messages',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
    request: ({ messageFeedId, word }) => ({ body: { messageFeedId, data: { text: word } } }),
  },
  {
    route: 'POST /api/v5/messages',
    about: 'an answer',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
    request: ({ messageFeedId, messageId, word }) => ({
      body: { messageFeedId, parentId: messageId, data: { text: word } },
    }),
  },
  {
    route: 'GET /api/v5/messages/{messageId}',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v5/messages/{messageId}',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 403, 'NOT_CHANNEL_MEMBER', 200, 403, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v5/messages/{messageId}/flags',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 403, 403, 403, 401, 401, 401],
    request: () => ({ body: { reason: 'Others' } }),
  },
  {
    route: 'GET /api/v5/messages/{messageId}/flags',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v5/messages/{messageId}/flags',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v5/messages/{messageId}/flags/all',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 403, 'NOT_CHANNEL_MEMBER', 200, 403, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v3/messages/{messageId}/flag',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 403, 403, 403, 401, 401, 401],
    request: () => ({ body: { reason: 'Others' } }),
  },
  {
    route: 'DELETE /api/v3/messages/{messageId}/unflag',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v3/messages/{messageId}/clearFlags',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 403, 'NOT_CHANNEL_MEMBER', 200, 403, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/messages/{messageId}/isFlaggedByMe',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 200, 200, 200, 401, 401, 401],
  },
]
