import type { Row } from '#server/testing/routes/row.ts'

/** Reports of what moderators did, one file a day. */
export const REPORT_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'GET /api/v1/reports/moderation-activity',
    outcomes: [401, 403, 403, 403, 403, 403, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v1/reports/moderation-activity/download',
    outcomes: [401, 403, 403, 403, 403, 403, 200, 200, 200, 401, 401, 401],
    request: ({ reportedDay }) => ({ query: { fileId: reportedDay } }),
  },
]
