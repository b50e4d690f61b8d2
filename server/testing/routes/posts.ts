import type { Row } from '#server/testing/routes/row.ts'

/** Posts, and the decisions on pending ones. */
export const POST_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'GET /api/v3/posts',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ communityId }) => ({ query: { targetType: 'community', targetId: communityId } }),
  },
  {
    route: 'GET /api/v4/posts',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ communityId }) => ({ query: { targetType: 'community', targetId: communityId } }),
  },
  {
    route: 'GET /api/v5/posts',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ communityId }) => ({ query: { targetType: 'community', targetId: communityId } }),
  },
  {
    route: 'GET /api/v4/posts',
    about: 'the caller’s held ones',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ communityId }) => ({
      query: { targetType: 'community', targetId: communityId, feedType: 'reviewing' },
    }),
  },
  {
    route: 'GET /api/v4/posts',
    about: 'all held ones',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 200, 200, 401, 401, 401],
    request: () => ({ query: { targetType: 'all', feedType: 'reviewing' } }),
  },
  {
    route: 'POST /api/v3/posts',
    outcomes: [401, 403, 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
    request: ({ communityId, word }) => ({
      body: { targetType: 'community', targetId: communityId, data: { text: word } },
    }),
  },
  {
    route: 'POST /api/v4/posts',
    outcomes: [401, 403, 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
    request: ({ communityId, word }) => ({
      body: { targetType: 'community', targetId: communityId, data: { text: word } },
    }),
  },
  {
    route: 'GET /api/v3/posts/{postId}',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/posts/{postId}',
    about: 'one held for review',
    outcomes: [401, 404, 404, 404, 404, 200, 404, 200, 200, 401, 401, 401],
    request: ({ heldPostId }) => ({ path: { postId: heldPostId } }),
  },
  {
    route: 'PUT /api/v3/posts/{postId}',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: () => ({ body: { data: { text: 'Changed' } } }),
  },
  {
    route: 'PUT /api/v4/posts/{postId}',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: () => ({ body: { data: { text: 'Changed' } } }),
  },
  {
    route: 'DELETE /api/v4/posts/{postId}',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v3/posts/{postId}/approve',
    outcomes: [401, 404, 404, 404, 404, 200, 404, 200, 200, 401, 401, 401],
    request: ({ heldPostId }) => ({ path: { postId: heldPostId } }),
  },
  {
    route: 'POST /api/v3/posts/{postId}/decline',
    outcomes: [401, 404, 404, 404, 404, 200, 404, 200, 200, 401, 401, 401],
    request: ({ heldPostId }) => ({ path: { postId: heldPostId }, body: { reason: 'No' } }),
  },
  {
    route: 'POST /api/v3/posts/{postId}/flag',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 403, 403, 401, 401, 401],
    request: () => ({ body: { reason: 'Others' } }),
  },
  {
    route: 'DELETE /api/v3/posts/{postId}/unflag',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v3/posts/{postId}/flags',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/posts/{postId}/isflagbyme',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
]
