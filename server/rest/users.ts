import { z } from 'zod'
import { ResourceId } from '#server/core/text.ts'
import { UserId } from '#server/core/wire/schema.ts'
import { listUsers } from '#server/modules/accounts/users/list-users.ts'
import { answerUsers, readUser } from '#server/modules/accounts/users/read-users.ts'
import {
  NamedUserChange,
  UserChange,
  UsersAnswer,
  UsersById,
  UsersPage,
  UsersQuery,
} from '#server/modules/accounts/users/schema.ts'
import { updateUser } from '#server/modules/accounts/users/update-user.ts'
import { clearFlags, flag, isFlaggedByMe, unflag } from '#server/modules/content/flags/flag.ts'
import { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import { NewFlag } from '#server/modules/content/flags/schema.ts'
import { banEverywhere, unbanEverywhere } from '#server/modules/spaces/sanctions/ban-everywhere.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

const OneUser = z.object({ userId: UserId })
const IdKind = z.object({ type: z.enum(['public', 'internal']).default('public') })
const FlaggedByMe = z.object({ isFlagByMe: z.boolean() })

export const usersRoutes: RestPlugin = async (app) => {
  const answer = { 200: UsersAnswer }

  app.get('/api/v3/users', { schema: { querystring: UsersQuery, response: { 200: UsersPage } } }, ({ ctx, query }) =>
    listUsers(ctx, query),
  )

  app.get('/api/v3/users/list', { schema: { querystring: UsersById, response: answer } }, ({ ctx, query }) =>
    answerUsers(ctx, query.userIds),
  )

  app.get(
    '/api/v3/users/:userId',
    { schema: { params: z.object({ userId: ResourceId }), querystring: IdKind, response: answer } },
    ({ ctx, params, query }) => readUser(ctx, { ...params, ...query }),
  )

  app.put(
    '/api/v3/users/:userId',
    { schema: { params: OneUser, body: UserChange, response: answer } },
    ({ ctx, params, body }) => updateUser(ctx, { ...body, ...params }),
  )

  // SDKs write the path with a trailing slash.
  for (const path of ['/api/v3/users', '/api/v3/users/']) {
    app.put(path, { schema: { body: NamedUserChange, response: answer } }, ({ ctx, body }) => updateUser(ctx, body))
  }

  // SDKs write it both ways.
  for (const path of ['/api/v3/users/:userId/isFlagByMe', '/api/v3/users/:userId/isflagbyme']) {
    app.get(path, { schema: { params: OneUser, response: { 200: FlaggedByMe } } }, async ({ ctx, params }) => ({
      isFlagByMe: await isFlaggedByMe(ctx, flaggableUser, { id: params.userId }),
    }))
  }

  app.post(
    '/api/v4/me/flags/:userId',
    { schema: { params: OneUser, body: NewFlag, response: answer } },
    ({ ctx, params, body }) => flag(ctx, flaggableUser, { id: params.userId, flag: body }),
  )

  app.delete('/api/v4/me/flags/:userId', { schema: { params: OneUser, response: answer } }, ({ ctx, params }) =>
    unflag(ctx, flaggableUser, { id: params.userId }),
  )

  app.delete('/api/v2/users/:userId/flags', { schema: { params: OneUser, response: answer } }, ({ ctx, params }) =>
    clearFlags(ctx, flaggableUser, { id: params.userId }),
  )

  app.post('/api/v2/users/ban', { schema: { body: OneUser, response: answer } }, ({ ctx, body }) =>
    banEverywhere(ctx, body),
  )

  app.post('/api/v2/users/unban', { schema: { body: OneUser, response: answer } }, ({ ctx, body }) =>
    unbanEverywhere(ctx, body),
  )
}
