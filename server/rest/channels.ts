import type { FastifyRequest } from 'fastify'
import { Done } from '#server/core/wire/schema.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { createChannel, createConversation } from '#server/modules/spaces/channels/create-channel.ts'
import { deleteChannel } from '#server/modules/spaces/channels/delete-channel.ts'
import { getChannel, getChannels } from '#server/modules/spaces/channels/get-channel.ts'
import { listChannels } from '#server/modules/spaces/channels/list-channels.ts'
import { listMembers, listMembersV4 } from '#server/modules/spaces/channels/list-members.ts'
import { muteChannel } from '#server/modules/spaces/channels/mute-channel.ts'
import {
  ChannelChange,
  ChannelEnvelope,
  ChannelIdsQuery,
  ChannelPage,
  ChannelParams,
  ChannelsQuery,
  ChannelUserIds,
  ChannelUsersRole,
  MembersQuery,
  MembersQueryV4,
  MuteChannel,
  MuteUsers,
  NewChannel,
  NewConversation,
  UserIdsAnywhere,
  UsersRoleAnywhere,
} from '#server/modules/spaces/channels/schema.ts'
import { updateChannel } from '#server/modules/spaces/channels/update-channel.ts'
import { addMembers } from '#server/modules/spaces/membership/add-members.ts'
import { addRoles, removeRoles } from '#server/modules/spaces/membership/change-roles.ts'
import { joinSpace, leaveSpace } from '#server/modules/spaces/membership/join-space.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { removeMembers } from '#server/modules/spaces/sanctions/remove-members.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

const ENVELOPE = { response: { 200: ChannelEnvelope } }
const PAGE = { response: { 200: ChannelPage } }

const spaceIn = ({ channelId }: ChannelParams) => ({ spaceId: channelId })

/** Channels and their members: docs/interface/channels.md and docs/interface/channel-members.md. */
export const channelsRoutes: RestPlugin = async (app) => {
  app.get('/api/v3/channels', { schema: { querystring: ChannelsQuery, ...PAGE } }, ({ ctx, query }) =>
    listChannels(ctx, query),
  )
  app.get('/api/v3/channels/list', { schema: { querystring: ChannelIdsQuery, ...ENVELOPE } }, ({ ctx, query }) =>
    getChannels(ctx, { channelIds: query.channelIds.flatMap(onceOrTwiceEncoded) }),
  )
  app.post('/api/v3/channels', { schema: { body: NewChannel, ...ENVELOPE } }, ({ ctx, body }) =>
    createChannel(ctx, body),
  )
  app.post('/api/v3/channels/conversation', { schema: { body: NewConversation, ...ENVELOPE } }, ({ ctx, body }) =>
    createConversation(ctx, body),
  )

  app.get('/api/v3/channels/:channelId', { schema: { params: ChannelParams, ...ENVELOPE } }, ({ ctx, params }) =>
    getChannel(ctx, params),
  )
  app.put(
    '/api/v3/channels/:channelId',
    { schema: { params: ChannelParams, body: ChannelChange, ...ENVELOPE } },
    ({ ctx, params, body }) => updateChannel(ctx, { ...body, ...params }),
  )
  app.delete(
    '/api/v3/channels/:channelId',
    { schema: { params: ChannelParams, response: { 200: Done } } },
    async ({ ctx, params }) => {
      await deleteChannel(ctx, params)
      return { success: true as const }
    },
  )
  app.put(
    '/api/v2/channel/:channelId/mute',
    { schema: { params: ChannelParams, body: MuteChannel, response: { 200: Done } } },
    async ({ ctx, params, body }) => {
      await muteChannel(ctx, { ...body, ...params })
      return { success: true as const }
    },
  )

  app.post('/api/v3/channels/:channelId/join', { schema: { params: ChannelParams, ...ENVELOPE } }, ({ ctx, params }) =>
    joinSpace(ctx, channelSpace, spaceIn(params)),
  )
  app.delete(
    '/api/v3/channels/:channelId/leave',
    { schema: { params: ChannelParams, ...ENVELOPE } },
    ({ ctx, params }) => leaveSpace(ctx, channelSpace, spaceIn(params)),
  )

  app.get(
    '/api/v3/channels/:channelId/users',
    {
      schema: { params: ChannelParams, querystring: MembersQuery, ...PAGE },
      preValidation: joinRawFilter,
    },
    ({ ctx, params, query }) => listMembers(ctx, { ...params, ...query }),
  )
  app.get(
    '/api/v4/channels/:channelId/users',
    {
      schema: { params: ChannelParams, querystring: MembersQueryV4, ...PAGE },
      preValidation: takeFilterForMemberships,
    },
    ({ ctx, params, query }) => listMembersV4(ctx, { ...query, ...params }),
  )
  app.post(
    '/api/v3/channels/:channelId/users',
    { schema: { params: ChannelParams, body: ChannelUserIds, ...ENVELOPE } },
    ({ ctx, params, body }) => addMembers(ctx, channelSpace, { ...body, ...spaceIn(params) }),
  )
  app.delete(
    '/api/v3/channels/:channelId/users',
    {
      schema: { params: ChannelParams, body: UserIdsAnywhere, ...ENVELOPE },
      preValidation: takeQueryForBody,
      config: { isAtomic: true },
    },
    ({ ctx, params, body }) => removeMembers(ctx, channelSpace, { ...body, ...spaceIn(params) }),
  )

  app.put(
    '/api/v3/channels/:channelId/users/ban',
    { schema: { params: ChannelParams, body: ChannelUserIds, ...ENVELOPE }, config: { isAtomic: true } },
    ({ ctx, params, body }) => ban(ctx, channelSpace, { ...body, ...spaceIn(params) }),
  )
  app.put(
    '/api/v3/channels/:channelId/users/unban',
    { schema: { params: ChannelParams, body: ChannelUserIds, ...ENVELOPE }, config: { isAtomic: true } },
    ({ ctx, params, body }) => unban(ctx, channelSpace, { ...body, ...spaceIn(params) }),
  )
  app.put(
    '/api/v2/channel/:channelId/users/mute',
    { schema: { params: ChannelParams, body: MuteUsers, response: { 200: Done } } },
    async ({ ctx, params, body }) => {
      await muteUsers(ctx, channelSpace, { ...body, spaceId: params.channelId })
      return { success: true as const }
    },
  )

  app.post(
    '/api/v3/channels/:channelId/users/roles',
    { schema: { params: ChannelParams, body: ChannelUsersRole, ...ENVELOPE } },
    ({ ctx, params, body }) =>
      addRoles(ctx, channelSpace, { ...spaceIn(params), userIds: body.userIds, roles: [body.role] }),
  )
  app.delete(
    '/api/v3/channels/:channelId/users/roles',
    { schema: { params: ChannelParams, body: UsersRoleAnywhere, ...ENVELOPE }, preValidation: takeQueryForBody },
    ({ ctx, params, body }) =>
      removeRoles(ctx, channelSpace, { ...spaceIn(params), userIds: body.userIds, roles: [body.role] }),
  )
}

/** A DELETE reads parameters from its body or, if that is empty, from its query (docs/interface/conventions.md). */
async function takeQueryForBody(request: FastifyRequest): Promise<void> {
  request.body ??= request.query
}

const MEMBERS_AND_BANNED = 'member&banned'

/** The oldest client sends the `&` of `filter=member&banned` unencoded, which makes it `filter=member` beside an empty `banned`. */
async function joinRawFilter({ query }: FastifyRequest): Promise<void> {
  const asked = query as Record<string, unknown>
  if (asked.filter === 'member' && asked.banned === '') asked.filter = MEMBERS_AND_BANNED
}

/** The v4 form has a list for it, yet clients still send that filter. */
async function takeFilterForMemberships(request: FastifyRequest): Promise<void> {
  await joinRawFilter(request)
  const asked = request.query as Record<string, unknown>
  if (asked.filter === MEMBERS_AND_BANNED) asked.memberships ??= ['member', 'banned']
}

/** Clients percent-encode these ids twice, so an id may still be encoded (docs/interface/channels.md#list-channels-by-id). */
function onceOrTwiceEncoded(channelId: string): string[] {
  try {
    const decoded = decodeURIComponent(channelId)
    return decoded.includes('\0') ? [channelId] : [channelId, decoded]
  } catch {
    return [channelId]
  }
}
