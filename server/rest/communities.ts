import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Done } from '#server/core/wire/schema.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { deleteCommunity } from '#server/modules/spaces/communities/delete-community.ts'
import { listCommunities } from '#server/modules/spaces/communities/list-communities.ts'
import { listMembers } from '#server/modules/spaces/communities/list-members.ts'
import { readCommunities, readCommunity } from '#server/modules/spaces/communities/read-community.ts'
import { readOwnPermissions } from '#server/modules/spaces/communities/read-own-permissions.ts'
import {
  CommunitiesAnswer,
  CommunitiesById,
  CommunitiesPage,
  CommunitiesQuery,
  CommunityChange,
  CommunityId,
  Members,
  MembersMuted,
  MembersQuery,
  MembersRemoved,
  NewCommunity,
  OwnPermissions,
  RoleFromMembers,
  RolesFromMembers,
  RolesToMembers,
  RoleToMembers,
} from '#server/modules/spaces/communities/schema.ts'
import { createCommunity, updateCommunity } from '#server/modules/spaces/communities/write-community.ts'
import { addMembers } from '#server/modules/spaces/membership/add-members.ts'
import { addRoles, removeRoles } from '#server/modules/spaces/membership/change-roles.ts'
import { joinSpace, leaveSpace } from '#server/modules/spaces/membership/join-space.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { removeMembers } from '#server/modules/spaces/sanctions/remove-members.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

const params = z.object({ communityId: CommunityId })
const IdKind = z.object({ type: z.enum(['public', 'internal']).default('public') })
const response = { 200: CommunitiesAnswer }
const spaceIn = ({ communityId }: z.output<typeof params>) => ({ spaceId: communityId })

export const communitiesRoutes: RestPlugin = async (app) => {
  app.get(
    '/api/v3/communities',
    { schema: { querystring: CommunitiesQuery, response: { 200: CommunitiesPage } } },
    ({ ctx, query }) => listCommunities(ctx, query),
  )

  app.get('/api/v3/communities/list', { schema: { querystring: CommunitiesById, response } }, ({ ctx, query }) =>
    readCommunities(ctx, query),
  )

  // SDKs write the path with a trailing slash.
  for (const path of ['/api/v3/communities', '/api/v3/communities/']) {
    app.post(path, { schema: { body: NewCommunity, response } }, ({ ctx, body }) => createCommunity(ctx, body))
  }

  app.get(
    '/api/v3/communities/:communityId',
    { schema: { params, querystring: IdKind, response } },
    ({ ctx, params, query }) => readCommunity(ctx, { ...params, ...query }),
  )

  app.put(
    '/api/v3/communities/:communityId',
    { schema: { params, body: CommunityChange, response } },
    ({ ctx, params, body }) => updateCommunity(ctx, { ...body, ...params }),
  )

  app.delete(
    '/api/v3/communities/:communityId',
    { schema: { params, response: { 200: Done } } },
    async ({ ctx, params }) => {
      await deleteCommunity(ctx, params)
      return { success: true as const }
    },
  )

  app.get(
    '/api/v3/communities/:communityId/permissions/me',
    { schema: { params, response: { 200: OwnPermissions } } },
    ({ ctx, params }) => readOwnPermissions(ctx, params),
  )

  app.post('/api/v3/communities/:communityId/join', { schema: { params, response } }, ({ ctx, params }) =>
    joinSpace(ctx, communitySpace, spaceIn(params)),
  )

  app.delete('/api/v3/communities/:communityId/leave', { schema: { params, response } }, ({ ctx, params }) =>
    leaveSpace(ctx, communitySpace, spaceIn(params)),
  )
}

export const communityMembersRoutes: RestPlugin = async (app) => {
  const members = '/api/v3/communities/:communityId/users'

  app.get(
    members,
    { schema: { params, querystring: MembersQuery, response: { 200: CommunitiesPage } } },
    ({ ctx, params, query }) => listMembers(ctx, { ...params, ...query }),
  )

  app.post(members, { schema: { params, body: Members, response } }, ({ ctx, params, body }) =>
    addMembers(ctx, communitySpace, { ...spaceIn(params), ...body }),
  )

  app.delete(
    members,
    { schema: { params, body: MembersRemoved, response }, preValidation: takeQueryAsBody, config: { isAtomic: true } },
    ({ ctx, params, body }) => removeMembers(ctx, communitySpace, { ...spaceIn(params), ...body }),
  )

  app.put(
    `${members}/ban`,
    { schema: { params, body: Members, response }, config: { isAtomic: true } },
    ({ ctx, params, body }) => ban(ctx, communitySpace, { ...spaceIn(params), ...body }),
  )

  app.put(
    `${members}/unban`,
    { schema: { params, body: Members, response }, config: { isAtomic: true } },
    ({ ctx, params, body }) => unban(ctx, communitySpace, { ...spaceIn(params), ...body }),
  )

  app.put(`${members}/mute`, { schema: { params, body: MembersMuted, response } }, ({ ctx, params, body }) =>
    muteUsers(ctx, communitySpace, { ...spaceIn(params), ...body }),
  )
}

export const communityRolesRoutes: RestPlugin = async (app) => {
  const one = '/api/v3/communities/:communityId/users/roles'
  const several = '/api/v4/communities/:communityId/users/roles'

  // Also accepts an API key: docs/interface/community-members-and-roles.md#api-keys.
  app.post(
    one,
    { schema: { params, body: RoleToMembers, response }, config: { takesKey: 'roles' } },
    ({ ctx, params, body }) =>
      addRoles(ctx, communitySpace, { ...spaceIn(params), roles: [body.role], userIds: body.userIds }),
  )

  app.delete(
    one,
    { schema: { params, body: RoleFromMembers, response }, preValidation: takeQueryAsBody },
    ({ ctx, params, body }) =>
      removeRoles(ctx, communitySpace, { ...spaceIn(params), roles: [body.role], userIds: body.userIds }),
  )

  app.post(several, { schema: { params, body: RolesToMembers, response } }, ({ ctx, params, body }) =>
    addRoles(ctx, communitySpace, { ...spaceIn(params), ...body }),
  )

  app.delete(
    several,
    { schema: { params, body: RolesFromMembers, response }, preValidation: takeQueryAsBody },
    ({ ctx, params, body }) => removeRoles(ctx, communitySpace, { ...spaceIn(params), ...body }),
  )
}

/** A DELETE reads parameters from its body or, if that is empty, from its query (docs/interface/conventions.md). */
async function takeQueryAsBody(request: FastifyRequest): Promise<void> {
  request.body ??= request.query
}
