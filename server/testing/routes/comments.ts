import type { Row } from '#server/testing/routes/row.ts'

/** Comments, their review queue, and the decisions on them. */
export const COMMENT_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'GET /api/v3/communities/{communityId}/comments/review-queue',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/comments',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ postId }) => ({ query: { referenceType: 'post', referenceId: postId } }),
  },
  {
    route: 'GET /api/v3/comments',
    about: 'including held ones',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ postId }) => ({ query: { referenceType: 'post', referenceId: postId, includePending: 'true' } }),
  },
  {
    route: 'POST /api/v3/comments',
    outcomes: [401, 403, 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
    request: ({ postId, word }) => ({ body: { referenceType: 'post', referenceId: postId, data: { text: word } } }),
  },
  {
    route: 'POST /api/v3/comments',
    about: 'an answer',
    outcomes: [401, 403, 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
    request: ({ postId, commentId, word }) => ({
      body: { referenceType: 'post', referenceId: postId, parentId: commentId, data: { text: word } },
    }),
  },
  {
    route: 'GET /api/v3/comments/{commentId}',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/comments/{commentId}',
    about: 'one held for review',
    outcomes: [401, 404, 404, 404, 404, 200, 404, 200, 200, 401, 401, 401],
    request: ({ heldCommentId }) => ({ path: { commentId: heldCommentId } }),
  },
  {
    route: 'PUT /api/v3/comments/{commentId}',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: () => ({ body: { data: { text: 'Changed' } } }),
  },
  {
    route: 'DELETE /api/v4/comments/{commentId}',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v3/comments/{commentId}/approve',
    outcomes: [401, 404, 404, 404, 404, 200, 404, 200, 200, 401, 401, 401],
    request: ({ heldCommentId }) => ({ path: { commentId: heldCommentId } }),
  },
  {
    route: 'POST /api/v3/comments/{commentId}/decline',
    outcomes: [401, 404, 404, 404, 404, 200, 404, 200, 200, 401, 401, 401],
    request: ({ heldCommentId }) => ({ path: { commentId: heldCommentId }, body: { reason: 'No' } }),
  },
  {
    route: 'POST /api/v3/comments/{commentId}/flag',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 403, 403, 401, 401, 401],
    request: () => ({ body: { reason: 'Others' } }),
  },
  {
    route: 'DELETE /api/v3/comments/{commentId}/unflag',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v3/comments/{commentId}/flags',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/comments/{commentId}/isflagbyme',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
]
