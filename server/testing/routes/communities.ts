import type { Row } from '#server/testing/routes/row.ts'
import { internalIdOf } from '#server/testing/scene.ts'

/** Communities and their members. */
export const COMMUNITY_ROWS: Row[] = [
  // nobody, stranger, member, banned, channel moderator, community moderator; support, moderator, admin; key, roles key, server key
  {
    route: 'GET /api/v3/communities',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/communities',
    about: 'by name',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ word }) => ({ query: { keyword: word, includeDiscoverablePrivateCommunity: 'true' } }),
  },
  {
    route: 'GET /api/v3/communities/list',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ communityId }) => ({ query: { 'communityIds[]': [communityId] } }),
  },
  {
    route: 'POST /api/v3/communities',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 200, 200, 401, 401, 401],
    request: ({ outsiderId }) => ({ body: { displayName: 'New', userIds: [outsiderId] } }),
  },
  {
    route: 'POST /api/v3/communities/',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 200, 200, 401, 401, 401],
    request: () => ({ body: { displayName: 'New' } }),
  },
  {
    route: 'GET /api/v3/communities/{communityId}',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/communities/{communityId}',
    about: 'by its internal id',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
    request: ({ communityId }) => ({ path: { communityId: internalIdOf(communityId) }, query: { type: 'internal' } }),
  },
  {
    route: 'PUT /api/v3/communities/{communityId}',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: () => ({ body: { description: 'Changed' } }),
  },
  {
    route: 'DELETE /api/v3/communities/{communityId}',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/communities/{communityId}/permissions/me',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v3/communities/{communityId}/join',
    outcomes: [401, 200, 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v3/communities/{communityId}/leave',
    outcomes: [401, 200, 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'GET /api/v3/communities/{communityId}/users',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'POST /api/v3/communities/{communityId}/users',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ outsiderId }) => ({ body: { userIds: [outsiderId] } }),
  },
  {
    route: 'DELETE /api/v3/communities/{communityId}/users',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { userIds: [memberId] } }),
  },
  {
    route: 'PUT /api/v3/communities/{communityId}/users/ban',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { userIds: [memberId] } }),
  },
  {
    route: 'PUT /api/v3/communities/{communityId}/users/unban',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ bannedId }) => ({ body: { userIds: [bannedId] } }),
  },
  {
    route: 'PUT /api/v3/communities/{communityId}/users/mute',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { userIds: [memberId], mutePeriod: 60_000 } }),
  },
  {
    route: 'POST /api/v3/communities/{communityId}/users/roles',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 403, 200, 401],
    request: ({ memberId }) => ({ body: { role: 'community-moderator', userIds: [memberId] } }),
  },
  {
    route: 'POST /api/v3/communities/{communityId}/users/roles',
    about: 'a role of the network',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 401],
    request: ({ memberId }) => ({ body: { role: 'moderator', userIds: [memberId] } }),
  },
  {
    route: 'DELETE /api/v3/communities/{communityId}/users/roles',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { role: 'community-moderator', userIds: [memberId] } }),
  },
  {
    route: 'POST /api/v4/communities/{communityId}/users/roles',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { roles: ['community-moderator'], userIds: [memberId] } }),
  },
  {
    route: 'DELETE /api/v4/communities/{communityId}/users/roles',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ memberId }) => ({ body: { roles: ['community-moderator'], userIds: [memberId] } }),
  },
  {
    route: 'POST /api/v4/communities/{communityId}/join',
    outcomes: [401, 200, 200, 'BANNED', 200, 200, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'GET /api/v4/communities/{communityId}/join',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v4/communities/{communityId}/join/me',
    outcomes: [401, 200, 200, 200, 200, 200, 200, 200, 200, 401, 401, 401],
  },
  {
    route: 'GET /api/v4/communities/{communityId}/join/count',
    outcomes: [401, 200, 200, 200, 200, 200, 403, 200, 200, 401, 401, 401],
  },
  {
    route: 'DELETE /api/v4/communities/{communityId}/join',
    outcomes: [401, 200, 404, 404, 404, 404, 403, 403, 403, 401, 401, 401],
  },
  {
    route: 'POST /api/v4/communities/{communityId}/join/approve',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ outsiderId }) => ({ body: { userId: outsiderId } }),
  },
  {
    route: 'POST /api/v4/communities/{communityId}/join/reject',
    outcomes: [401, 403, 403, 403, 403, 200, 403, 200, 200, 401, 401, 401],
    request: ({ outsiderId }) => ({ body: { userId: outsiderId } }),
  },
]
