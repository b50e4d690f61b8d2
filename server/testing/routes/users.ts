import type { Row } from '#server/testing/routes/row.ts'

/** Users of the network, and their roles. */
export const USER_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'GET /api/v3/users',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/users',
    about: 'flagged ones',
    outcomes: [401, 403, 403, 403, 403, 403, 200, 200, 200, 401, 401, 401],
    request: () => ({ query: { filter: 'flagged' } }),
  },
  {
    route: 'GET /api/v3/users/list',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ query: { 'userIds[]': [memberId] } }),
  },
  {
    route: 'GET /api/v3/users/{userId}',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'PUT /api/v3/users/{userId}',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: () => ({ body: { displayName: 'Changed' } }),
  },
  {
    route: 'PUT /api/v3/users/{userId}',
    about: 'oneself',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 403, 200, 401, 401, 401],
    request: ({ callerId, memberId }) => ({ path: { userId: callerId ?? memberId }, body: { displayName: 'Changed' } }),
  },
  {
    route: 'PUT /api/v3/users/{userId}',
    about: "one's own roles",
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: ({ callerId, memberId }) => ({ path: { userId: callerId ?? memberId }, body: { roles: ['support'] } }),
  },
  {
    route: 'PUT /api/v3/users',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { userId: memberId, displayName: 'Changed' } }),
  },
  {
    route: 'PUT /api/v3/users/',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { userId: memberId, displayName: 'Changed' } }),
  },
  {
    route: 'GET /api/v3/users/{userId}/isFlagByMe',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/users/{userId}/isflagbyme',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v4/me/flags/{userId}',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 403, 403, 401, 401, 401],
    request: () => ({ body: { reason: 'Others' } }),
  },
  {
    route: 'DELETE /api/v4/me/flags/{userId}',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v2/users/{userId}/flags',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v2/users/ban',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { userId: memberId } }),
  },
  {
    route: 'POST /api/v2/users/unban',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 200, 200, 401, 401, 401],
    request: ({ outcastId }) => ({ body: { userId: outcastId } }),
  },
  {
    route: 'GET /api/v1/author-treatments',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ query: { userId: memberId } }),
  },
  {
    route: 'POST /api/v1/author-treatments',
    about: 'everywhere',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({
      body: { userId: memberId, space: { scope: 'network' }, kind: 'trust', minutes: 60 },
    }),
  },
  {
    route: 'POST /api/v1/author-treatments',
    about: 'in a community',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ memberId, communityId }) => ({
      body: { userId: memberId, space: { scope: 'community', communityId }, kind: 'hold' },
    }),
  },
  {
    route: 'DELETE /api/v1/author-treatments/{treatmentId}',
    outcomes: [401, 404, 404, 404, 404, 200, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v1/statements',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ query: { userId: memberId } }),
  },
  {
    route: 'GET /api/v1/statements/{statementId}',
    outcomes: [401, 404, 404, 404, 404, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v1/appeals',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v1/appeals',
    about: 'of somebody else',
    outcomes: [401, 404, 404, 404, 404, 404, 404, 404, 404, 401, 401, 401],
    request: ({ statementId }) => ({ body: { statementId, words: 'Why?' } }),
  },
  {
    route: 'POST /api/v1/appeals/{appealId}/decision',
    outcomes: [401, 404, 404, 404, 404, 200, 404, 200, 200, 401, 401, 401],
    request: () => ({ body: { outcome: 'kept', answer: 'It stays.' } }),
  },
  {
    route: 'GET /api/v3/roles',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
]
