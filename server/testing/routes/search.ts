import type { Row } from '#server/testing/routes/row.ts'

/** Endpoints 5 and 8. */
export const SEARCH_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'GET /api/v2/search/messages',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ word }) => ({ query: { query: word } }),
  },
  {
    route: 'GET /api/v2/search/messages',
    about: 'in a channel',
    outcomes: [401, 'NOT_CHANNEL_MEMBER', 200, 'NOT_CHANNEL_MEMBER', 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ word, channelId }) => ({ query: { query: word, channelId } }),
  },
  {
    route: 'GET /api/v2/search/messages',
    about: 'in a conversation of others',
    outcomes: [401, 404, 404, 404, 404, 404, 404, 404, 404, 401, 401, 401],
    request: ({ word, conversationFeedId }) => ({ query: { query: word, messageFeedId: conversationFeedId } }),
  },
  {
    route: 'GET /api/v2/search/channels',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ word }) => ({ query: { query: word } }),
  },
]
