import { z } from 'zod'
import { decideJoinRequest } from '#server/modules/spaces/communities/decide-join-request.ts'
import {
  countJoinRequests,
  listJoinRequests,
  readOwnJoinRequest,
} from '#server/modules/spaces/communities/list-join-requests.ts'
import { cancelJoinRequest, requestToJoin } from '#server/modules/spaces/communities/request-to-join.ts'
import {
  CommunityId,
  DecideJoinRequest,
  JoinRequests,
  JoinRequestsPage,
  JoinRequestsQuery,
} from '#server/modules/spaces/communities/schema.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

const params = z.object({ communityId: CommunityId })
const Done = z.object({ success: z.literal(true) })
const JOIN = '/api/v4/communities/:communityId/join'

/** docs/interface/community-members-and-roles.md#join-requests. */
export const joinRequestRoutes: RestPlugin = async (app) => {
  const one = { params, response: { 200: JoinRequests } }

  app.post(JOIN, { schema: one }, ({ ctx, params }) => requestToJoin(ctx, params))

  app.get(
    JOIN,
    { schema: { params, querystring: JoinRequestsQuery, response: { 200: JoinRequestsPage } } },
    ({ ctx, params, query }) => listJoinRequests(ctx, { ...params, ...query }),
  )

  app.get(`${JOIN}/me`, { schema: one }, ({ ctx, params }) => readOwnJoinRequest(ctx, params))

  app.get(
    `${JOIN}/count`,
    { schema: { params, response: { 200: z.object({ count: z.int() }) } } },
    async ({ ctx, params }) => ({ count: await countJoinRequests(ctx, params) }),
  )

  app.delete(
    JOIN,
    { schema: { params, response: { 200: Done } }, config: { alsoFails: ['CHANGED'] } },
    async ({ ctx, params }) => {
      await cancelJoinRequest(ctx, params)
      return { success: true } as const
    },
  )

  for (const [verb, outcome] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    app.post(
      `${JOIN}/${verb}`,
      { schema: { params, body: DecideJoinRequest, response: { 200: Done } }, config: { alsoFails: ['CHANGED'] } },
      async ({ ctx, params, body }) => {
        await decideJoinRequest(ctx, { ...params, ...body, outcome })
        return { success: true } as const
      },
    )
  }
}
