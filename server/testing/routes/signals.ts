import type { Row } from '#server/testing/routes/row.ts'

/** Scores from classifiers. */
export const SIGNAL_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'POST /api/v1/signals',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 200, 200, 403, 403, 401],
    request: ({ commentId }) => ({
      body: { signals: [{ type: 'comment', id: commentId, name: 'toxicity', score: 0.5 }] },
    }),
  },
]
