import type { Row } from '#server/testing/routes/row.ts'

/** Channels and their members. */
export const CHANNEL_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'GET /api/v3/channels',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/channels',
    about: 'by name',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ word }) => ({ query: { keyword: word } }),
  },
  {
    route: 'GET /api/v3/channels',
    about: 'with flagged messages',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: () => ({ query: { filter: 'flagged' } }),
  },
  {
    route: 'GET /api/v3/channels',
    about: 'of somebody else',
    outcomes: [401, 403, 403, 403, 403, 403, 200, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ query: { filter: 'member', userId: memberId } }),
  },
  {
    route: 'GET /api/v3/channels/list',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ channelId, conversationId }) => ({ query: { 'channelIds[]': [channelId, conversationId] } }),
  },
  {
    route: 'POST /api/v3/channels',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 200, 200, 401, 401, 401],
    request: ({ outsiderId }) => ({ body: { displayName: 'New', userIds: [outsiderId] } }),
  },
  {
    route: 'POST /api/v3/channels/conversation',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 403, 403, 401, 401, 401],
    request: ({ outsiderId }) => ({ body: { userIds: [outsiderId] } }),
  },
  {
    route: 'GET /api/v3/channels/{channelId}',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/channels/{channelId}',
    about: 'a conversation of others',
    outcomes: [401, 404, 404, 404, 404, 404, 200, 200, 200, 401, 401, 401],
    request: ({ conversationId }) => ({ path: { channelId: conversationId } }),
  },
  {
    route: 'PUT /api/v3/channels/{channelId}',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
    request: () => ({ body: { displayName: 'Changed' } }),
  },
  {
    route: 'DELETE /api/v3/channels/{channelId}',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'PUT /api/v2/channel/{channelId}/mute',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
    request: () => ({ body: { mutePeriod: 60_000 } }),
  },
  {
    route: 'POST /api/v3/channels/{channelId}/join',
    outcomes: [401, 200, 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v3/channels/{channelId}/leave',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/channels/{channelId}/users',
    outcomes: [401, 200, 200, 403, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v4/channels/{channelId}/users',
    outcomes: [401, 200, 200, 403, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v3/channels/{channelId}/users',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
    request: ({ outsiderId }) => ({ body: { userIds: [outsiderId] } }),
  },
  {
    route: 'DELETE /api/v3/channels/{channelId}/users',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { userIds: [memberId] } }),
  },
  {
    route: 'PUT /api/v3/channels/{channelId}/users/ban',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { userIds: [memberId] } }),
  },
  {
    route: 'PUT /api/v3/channels/{channelId}/users/unban',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
    request: ({ bannedId }) => ({ body: { userIds: [bannedId] } }),
  },
  {
    route: 'PUT /api/v2/channel/{channelId}/users/mute',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { userIds: [memberId], mutePeriod: 60_000 } }),
  },
  {
    route: 'POST /api/v3/channels/{channelId}/users/roles',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { role: 'channel-moderator', userIds: [memberId] } }),
  },
  {
    route: 'DELETE /api/v3/channels/{channelId}/users/roles',
    outcomes: [401, 403, 403, 403, 200, 403, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { role: 'channel-moderator', userIds: [memberId] } }),
  },
]
