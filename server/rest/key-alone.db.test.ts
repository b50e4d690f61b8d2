import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '#server/core/errors.ts'
import { createKey } from '#server/modules/accounts/access/create-credentials.ts'
import type { KeyAllows } from '#server/modules/accounts/access/schema.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const api = await testApi(database, { RATE_LIMITS: 'off' })
const secure = await testApi(database, { RATE_LIMITS: 'off', SESSION_SECURE_MODE: '1' })

const keyFor = async (...allows: KeyAllows[]) =>
  (await createKey(systemCtx(database), { name: 'a key alone', allows })).apiKey
const [appKey, rolesKey, serverKey] = await Promise.all([
  keyFor('sessions'),
  keyFor('sessions', 'roles'),
  keyFor('server'),
])

const { communityId } = await make.community()
await prisma.role.createMany({
  data: [
    { roleId: 'powerless', scope: 'network', rank: 1 },
    { roleId: 'above-moderators', scope: 'community', rank: 300, permissions: ['EDIT_COMMUNITY'] },
    { roleId: 'beyond-communities', scope: 'community', rank: 100, permissions: ['EDIT_COMMUNITY', 'BAN_USER'] },
  ],
})

const powerless = (await make.user({ roles: ['powerless'] })).userId

/** Everyone above an ordinary user, except in a community of their own. */
const STAFF = {
  'a global admin': (await make.user({ roles: ['global-admin'] })).userId,
  'a super moderator': (await make.user({ roles: ['super-moderator'] })).userId,
  'a moderator': (await make.user({ roles: ['moderator'] })).userId,
  'a support agent': (await make.user({ roles: ['support'] })).userId,
  'the holder of a network role that permits nothing': powerless,
  'a staff member': (await api.staff({ roleId: 'global-admin' })).userId,
  'a staff member of one community': (await api.staff({ roleId: 'community-moderator', communityId })).userId,
  'a staff member who is switched off': await switchedOff(),
}
const staff = Object.entries(STAFF)
const admin = STAFF['a global admin']
for (const userId of Object.values(STAFF)) {
  await prisma.communityUser.upsert({
    where: { communityId_userId: { communityId, userId } },
    create: { communityId, userId, membership: 'member' },
    update: {},
  })
}
const ordinary = (await make.user()).userId
await make.member({ communityId, userId: ordinary })

const before = await authority()
afterEach(async () => {
  expect(await authority()).toEqual(before)
})

const withKey = (key: string) => ({ 'x-api-key': key })
const opening = (userId: string, over: object = {}) => ({ userId, deviceId: 'a device', ...over })
const rolesOf = (id: string) => `/api/v3/communities/${id}/users/roles`

type Answer = Awaited<ReturnType<typeof api.call>>
function expectRefused(answer: Answer, failure: ErrorCode) {
  const { http, wire, text } = ERRORS[failure]
  expect(answer).toMatchObject({ status: http, body: { status: 'error', code: wire, message: text } })
  expect(JSON.stringify(answer.body)).not.toContain('accessToken')
}

describe.each(['v3', 'v4', 'v5'])('a session opened with a key over %s', (version) => {
  const open = (body: unknown, key = appKey, at = api) =>
    at.call('POST', `/api/${version}/sessions`, { body, headers: withKey(key) })

  test.each(staff)('is not available for %s, whatever else is sent', async (_who, userId) => {
    const unsigned = [undefined, '', appKey, serverKey, 'dkt_wrong'].map((authToken) => opening(userId, { authToken }))
    const elevated = opening(userId, {
      roles: ['global-admin'],
      isAdmin: true,
      userType: 'admin',
      displayName: 'Admin',
    })
    for (const body of [...unsigned, elevated]) expectRefused(await open(body), 'FORBIDDEN')
    expectRefused(await open(opening(userId), rolesKey), 'FORBIDDEN')
    expectRefused(await open(opening(userId), serverKey), 'FORBIDDEN')
    expectRefused(await open(opening(userId), appKey, secure), 'FORBIDDEN')
  })

  test('is not available for the network’s own ids', async () => {
    for (const userId of ['ADMIN_', `ADMIN_${admin.slice(0, 40)}`, 'DELETED_someone']) {
      expectRefused(await open(opening(userId)), 'INVALID_PARAMETERS')
    }
  })

  test('is not available for anyone in secure mode', async () => {
    for (const userId of [ordinary, `user-${randomUUID()}`]) {
      expectRefused(await open(opening(userId), appKey, secure), 'FORBIDDEN')
    }
  })

  test('is not available with a key outside its header', async () => {
    const path = `/api/${version}/sessions`
    for (const name of ['x-api-key', 'apiKey', 'api_key', 'key']) {
      expectRefused(await api.call('POST', `${path}?${name}=${appKey}`, { body: opening(ordinary) }), 'UNAUTHORIZED')
      expectRefused(await api.call('POST', path, { body: opening(ordinary, { [name]: appKey }) }), 'UNAUTHORIZED')
      const headers = { cookie: `${name}=${appKey}` }
      expectRefused(await api.call('POST', path, { body: opening(ordinary), headers }), 'UNAUTHORIZED')
    }
    const headers = { 'x-server-key': appKey }
    expectRefused(await api.call('POST', path, { body: opening(ordinary), headers }), 'UNAUTHORIZED')
    expectRefused(await api.call('POST', path, { body: opening(ordinary), token: appKey }), 'UNAUTHORIZED')
  })

  test('is not available by another method', async () => {
    const headers = { ...withKey(appKey), 'x-http-method-override': 'POST' }
    for (const method of ['PUT', 'PATCH', 'HEAD', 'GET', 'DELETE']) {
      const body = ['HEAD', 'GET'].includes(method) ? undefined : opening(admin)
      const { status, body: answer } = await api.call(method, `/api/${version}/sessions?userId=${admin}`, {
        body,
        headers,
      })
      expect([method, [401, 404].includes(status)]).toEqual([method, true])
      expect(JSON.stringify(answer ?? '')).not.toContain('accessToken')
    }
  })
})

describe('a session that a key opened', () => {
  test('for a user who becomes staff later stays user context, and is not renewed', async () => {
    const userId = `user-${randomUUID()}`
    const opened = await api.call('POST', '/api/v5/sessions', { body: opening(userId), headers: withKey(appKey) })
    const token: string = opened.body.accessToken

    await prisma.user.update({ where: { userId }, data: { roles: ['global-admin'] } })
    await expectNoAdmin(token)
    const renewal = { body: opening(userId), headers: withKey(appKey) }
    expectRefused(await api.call('POST', '/api/v5/sessions', renewal), 'FORBIDDEN')
    expectRefused(await api.call('POST', '/api/v5/sessions', { ...renewal, token }), 'FORBIDDEN')
    await prisma.user.update({ where: { userId }, data: { roles: [] } })
  })

  test('for an admin’s internal id, or a variant of their id, is an ordinary user’s', async () => {
    const { internalId } = await prisma.user.findUniqueOrThrow({ where: { userId: admin } })
    for (const userId of [internalId, admin.toUpperCase().slice(0, 50), ` ${admin}`.slice(0, 50)]) {
      const opened = await api.call('POST', '/api/v5/sessions', { body: opening(userId), headers: withKey(appKey) })
      expect(opened).toMatchObject({ status: 200, body: { users: [{ userId, roles: [] }], roles: [] } })
      await expectNoAdmin(opened.body.accessToken)
    }
  })

  async function expectNoAdmin(token: string) {
    const userIds = [ordinary]
    const calls: [string, string, object?][] = [
      ['PUT', '/api/v3/network-settings/moderation', { isReportEnabled: true }],
      ['GET', '/api/v3/network-settings/moderation'],
      ['PUT', `/api/v3/users/${ordinary}`, { roles: ['global-admin'] }],
      ['POST', '/api/v2/users/ban', { userId: ordinary }],
      ['POST', rolesOf(communityId), { role: 'community-moderator', userIds }],
      ['DELETE', `/api/v4/sessions/users/${ordinary}`],
      ['GET', '/api/v3/blocklists'],
    ]
    for (const [method, path, body] of calls) expectRefused(await api.call(method, path, { body, token }), 'FORBIDDEN')
  }
})

describe('endpoint 3 with a key alone', () => {
  const give = (role: unknown, userIds: string[] = [ordinary], key = rolesKey) =>
    api.call('POST', rolesOf(communityId), { body: { role, userIds }, headers: withKey(key) })

  test.each([
    'global-admin',
    'super-moderator',
    'moderator',
    'support',
    'powerless',
    'channel-moderator',
    'above-moderators',
    'beyond-communities',
  ])('does not give the role %s', async (role) => {
    expectRefused(await give(role), 'FORBIDDEN')
  })

  test('gives no unknown role, and only one role at a time', async () => {
    expectRefused(await give('GLOBAL-ADMIN'), 'NOT_FOUND')
    for (const role of [['global-admin'], ['community-moderator', 'global-admin'], { roleId: 'global-admin' }]) {
      expectRefused(await give(role), 'INVALID_PARAMETERS')
    }
  })

  // A user of lower rank than a community moderator may moderate a community.
  test.each(staff.filter(([, userId]) => userId !== powerless))('does not change %s', async (_who, userId) => {
    expectRefused(await give('community-moderator', [userId]), 'FORBIDDEN')
    expectRefused(await give('community-moderator', [ordinary, userId]), 'FORBIDDEN')
  })

  test('needs a key that is allowed roles, in its header', async () => {
    const body = { role: 'community-moderator', userIds: [ordinary] }
    for (const key of [appKey, serverKey]) expectRefused(await give(body.role, body.userIds, key), 'FORBIDDEN')
    for (const path of [`?x-api-key=${rolesKey}`, `?apiKey=${rolesKey}`, '']) {
      const sent = { ...body, apiKey: rolesKey, 'x-api-key': rolesKey }
      expectRefused(await api.call('POST', `${rolesOf(communityId)}${path}`, { body: sent }), 'UNAUTHORIZED')
    }
    expectRefused(await api.call('POST', rolesOf(communityId), { body, token: rolesKey }), 'UNAUTHORIZED')
    const stranger = await api.tokenOf((await make.user()).userId)
    const both = { body, token: stranger, headers: withKey(appKey) }
    expectRefused(await api.call('POST', rolesOf(communityId), both), 'FORBIDDEN')
  })

  test('creates moderators who cannot gain more', async () => {
    const { userId } = await make.user()
    await make.member({ communityId, userId })
    expect((await give('community-moderator', [userId])).status).toBe(200)
    const token = await api.tokenOf(userId)
    for (const role of ['global-admin', 'above-moderators', 'beyond-communities']) {
      const body = { role, userIds: [ordinary] }
      expectRefused(await api.call('POST', rolesOf(communityId), { body, token }), 'FORBIDDEN')
    }
    const own = { body: { roles: ['global-admin'] }, token }
    expectRefused(await api.call('PUT', `/api/v3/users/${userId}`, own), 'FORBIDDEN')
    await prisma.communityUser.delete({ where: { communityId_userId: { communityId, userId } } })
  })

  test('gives the role in a private community too', async () => {
    const { communityId: hidden } = await make.community({ isPublic: false })
    await make.member({ communityId: hidden, userId: ordinary })
    const body = { role: 'community-moderator', userIds: [ordinary] }
    expect((await api.call('POST', rolesOf(hidden), { body, headers: withKey(rolesKey) })).status).toBe(200)
    await prisma.communityUser.deleteMany({ where: { communityId: hidden } })
  })
})

test('the neighbours of endpoint 3 and all other routes that grant or remove power accept no key', async () => {
  const [one, several] = [{ role: 'community-moderator' }, { roles: ['community-moderator'] }]
  const userIds = [ordinary]
  const calls: [string, string, object][] = [
    ['DELETE', rolesOf(communityId), { ...one, userIds }],
    ['POST', `/api/v4/communities/${communityId}/users/roles`, { ...several, userIds }],
    ['DELETE', `/api/v4/communities/${communityId}/users/roles`, { ...several, userIds }],
    ['POST', '/api/v3/channels/any/users/roles', { role: 'channel-moderator', userIds }],
    ['PUT', `/api/v3/users/${ordinary}`, { roles: ['global-admin'] }],
    ['PUT', '/api/v3/users', { userId: ordinary, roles: ['global-admin'] }],
    ['PUT', '/api/v3/network-settings/moderation', { isReportEnabled: true }],
    ['POST', '/api/v2/users/ban', { userId: admin }],
    ['DELETE', `/api/v4/sessions/users/${admin}`, {}],
  ]
  for (const key of [appKey, rolesKey, serverKey]) {
    for (const [method, path, body] of calls) {
      const headers = { ...withKey(key), 'x-server-key': key }
      expectRefused(await api.call(method, path, { body, headers }), 'UNAUTHORIZED')
      expectRefused(await api.call(method, path, { body, token: key }), 'UNAUTHORIZED')
    }
  }
})

test('only a server key vouches for anyone, and only in its own header', async () => {
  const vouch = (headers: Record<string, string>, body: object = { userId: admin }) =>
    api.call('POST', '/api/v4/authentication/token', { body, headers })
  for (const key of [appKey, rolesKey]) {
    expectRefused(await vouch({ 'x-server-key': key }), 'FORBIDDEN')
    expectRefused(await vouch({ 'x-api-key': key }), 'UNAUTHORIZED')
    expectRefused(await vouch({ authorization: `Bearer ${key}` }), 'UNAUTHORIZED')
    expectRefused(await vouch({}, { userId: admin, serverKey: key, 'x-server-key': key }), 'UNAUTHORIZED')
  }
  expectRefused(await vouch({ 'x-api-key': serverKey }), 'UNAUTHORIZED')
})

test('the desk’s own routes accept no key', async () => {
  for (const key of [appKey, rolesKey, serverKey]) {
    const headers = { ...withKey(key), 'x-server-key': key, authorization: `Bearer ${key}` }
    expect((await api.call('GET', '/api/trpc/access.me', { headers })).status).toBe(401)
  }
})

async function switchedOff(): Promise<string> {
  const { staffId, userId } = await api.staff({ roleId: 'support' })
  await prisma.staffAccount.update({ where: { id: staffId }, data: { isDisabled: true } })
  await prisma.user.update({ where: { userId }, data: { roles: [] } })
  return userId
}

/** Everything that grants more than an ordinary user has: roles and their permissions, role holders, accounts, keys and admin tokens. */
async function authority() {
  const statements = {
    network: `select user_id, roles from network_user where roles <> '{}' order by user_id`,
    communities: `select community_id, user_id, roles from community_user where roles <> '{}' order by community_id, user_id`,
    channels: `select channel_id, user_id, roles from channel_user where roles <> '{}' order by channel_id, user_id`,
    roles: 'select role_id, rank, scope, permissions from role order by role_id',
    accounts: 'select id, network_user_id, is_disabled from staff_account order by id',
    keys: 'select key_id, allows, revoked_at from api_key order by key_id',
    tokens: `select token_id, kind, user_id, role_id, revoked_at from access_token
      where kind = 'admin' or user_id in (select user_id from network_user where roles <> '{}') order by token_id`,
    vouchers: 'select user_id from auth_token order by user_id',
    settings: 'select is_whitelist_enabled, is_report_enabled from network_settings',
  }
  const rows = await Promise.all(
    Object.entries(statements).map(async ([what, sql]) => [what, (await database.pool.query(sql)).rows] as const),
  )
  return Object.fromEntries(rows)
}
