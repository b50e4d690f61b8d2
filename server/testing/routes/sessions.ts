import { randomUUID } from 'node:crypto'
import type { Row } from '#server/testing/routes/row.ts'

/** Sessions of apps. */
export const SESSION_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'POST /api/v5/sessions',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 403, 200, 200, 401],
    request: () => ({ body: { userId: `user-${randomUUID()}`, deviceId: 'device' } }),
  },
  {
    route: 'POST /api/v4/sessions',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 403, 200, 200, 401],
    request: () => ({ body: { userId: `user-${randomUUID()}`, deviceId: 'device' } }),
  },
  {
    route: 'POST /api/v3/sessions',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 403, 200, 200, 401],
    request: () => ({ body: { userId: `user-${randomUUID()}`, deviceId: 'device' } }),
  },
  {
    route: 'GET /api/v3/sessions',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v4/sessions',
    outcomes: [401, 200, 200, 200, 200, 200, 422, 422, 422, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v4/sessions',
    about: 'of somebody else',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
    request: ({ memberId }) => ({ query: { userId: memberId } }),
  },
  {
    route: 'DELETE /api/v4/sessions/users/{userId}',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v4/authentication/token',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 403, 401, 401, 200],
    request: () => ({ body: { userId: `user-${randomUUID()}` } }),
  },
]
