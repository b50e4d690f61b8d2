import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createKey } from '#server/modules/accounts/access/create-credentials.ts'
import type { KeyAllows } from '#server/modules/accounts/access/schema.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const open = { RATE_LIMITS: 'off' }
const api = await testApi(database, open)
const counted = await testApi(database, { RATE_LIMITS: 'signin=10/h' })
const secure = await testApi(database, { ...open, SESSION_SECURE_MODE: '1' })

const keyFor = async (...allows: KeyAllows[]) =>
  (await createKey(systemCtx(database), { name: 'a test', allows })).apiKey
const [appKey, rolesKey, serverKey] = await Promise.all([keyFor('sessions'), keyFor('roles'), keyFor('server')])
const admin = await api.tokenOf()

const device = { deviceId: 'device', deviceInfo: { kind: 'web', model: '20', sdkVersion: 'v6' } }
const newId = () => `user-${randomUUID()}`

interface Opening {
  over?: Record<string, unknown>
  key?: string
  path?: string
  at?: typeof api
}
const openSession = ({ over = {}, key = appKey, path = '/api/v5/sessions', at = api }: Opening = {}) =>
  at.call('POST', path, { body: { userId: newId(), ...device, ...over }, headers: { 'x-api-key': key } })

async function vouch(userId: string, key = serverKey) {
  const answer = await fetch(`${api.url}/api/v4/authentication/token`, {
    method: 'POST',
    headers: { 'x-server-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

const verify = (token: string) => api.call('GET', '/api/v3/sessions', { token })
const errorOf = ({ status, body }: { status: number; body: { code: number } }) => [status, body.code]

describe('opening a session', () => {
  test('creates an unknown user, and gives a token of 30 days that names its user', async () => {
    const userId = newId()
    const { status, body } = await openSession({ over: { userId, displayName: 'Ünal 漢字', profileHandle: userId } })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      users: [{ userId, userPublicId: userId, displayName: 'Ünal 漢字', profileHandle: userId, roles: [] }],
      roles: [],
      files: [],
      userType: 'signed-in',
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.issuedAt)).toBe(30 * 24 * 3_600_000)
    expect(claimsOf(body.accessToken)).toEqual({
      user: { publicUserId: userId, userId: body.users[0].userInternalId },
      iat: Math.floor(Date.parse(body.issuedAt) / 1000),
      exp: Math.floor(Date.parse(body.expiresAt) / 1000),
    })
    const verified = await verify(body.accessToken)
    expect([verified.status, verified.body.users[0].userId, verified.body.expiresAt]).toEqual([
      200,
      userId,
      body.expiresAt,
    ])
    expect(
      await database.prisma.audit.findFirst({ where: { action: 'session.opened', subjectId: userId } }),
    ).toMatchObject({ actorKind: 'key', source: 'rest' })
  })

  test('stores nothing from which the token could be recovered', async () => {
    const { body } = await openSession()
    const rows = await database.pool.query('select t::text as row from access_token t')
    expect(rows.rows.map(({ row }) => row).join()).not.toContain(body.accessToken.split('.')[2])
  })

  test('of a known user keeps their name, and shows their avatar', async () => {
    const { userId } = await make.user({ displayName: 'Before' })
    await database.prisma.file.create({ data: { fileId: 'avatar', type: 'image' } })
    await database.prisma.user.update({ where: { userId }, data: { avatarFileId: 'avatar' } })
    const { body } = await openSession({ over: { userId, displayName: 'After' } })
    expect([body.users[0].displayName, body.files[0].fileId]).toEqual(['Before', 'avatar'])
  })

  test('of one unknown user twice at once creates them once', async () => {
    const userId = newId()
    const answers = await Promise.all([1, 2, 3, 4].map(() => openSession({ over: { userId } })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test.each(['v4', 'v3'])('in %s uses the names of that version', async (version) => {
    const { body } = await openSession({ path: `/api/${version}/sessions` })
    expect([body.expiredAt, body.refreshToken]).toEqual([body.expiresAt, body.accessToken])
  })

  const edges: [string, Record<string, unknown>][] = [
    ['no device info', { deviceInfo: undefined }],
    ['a user id that only holds ADMIN_', { userId: 'not_ADMIN_' }],
  ]
  test.each(edges)('accepts %s', async (_what, over) => {
    expect((await openSession({ over })).status).toBe(200)
  })

  const beyond: [string, Record<string, unknown>][] = [
    ['no user id', { userId: undefined }],
    ['a user id that starts with ADMIN_', { userId: 'ADMIN_one' }],
    ['a user id that starts with DELETED_', { userId: 'DELETED_one' }],
    ['no device id', { deviceId: undefined }],
    ['a device info that is text', { deviceInfo: 'web' }],
  ]
  test.each(beyond)('rejects %s with 500000', async (_what, over) => {
    expect(errorOf(await openSession({ over }))).toEqual([422, 500000])
  })

  test('with a taken handle is rejected, and creates nobody', async () => {
    await openSession({ over: { profileHandle: 'taken' } })
    const userId = newId()
    const answer = await openSession({ over: { userId, profileHandle: 'taken' } })
    expect([...errorOf(answer), answer.body.data.detail]).toEqual([422, 500000, ['profileHandle: already taken']])
    expect(await database.prisma.user.count({ where: { userId } })).toBe(0)
  })

  test('of someone banned from the network is 400312, of someone deleted 400300', async () => {
    const [banned, deleted] = await Promise.all([make.user(), make.user()])
    await database.prisma.user.update({ where: { userId: banned.userId }, data: { isGlobalBan: true } })
    await database.prisma.user.update({ where: { userId: deleted.userId }, data: { isDeleted: true } })
    expect(errorOf(await openSession({ over: { userId: banned.userId } }))).toEqual([403, 400312])
    expect(errorOf(await openSession({ over: { userId: deleted.userId } }))).toEqual([403, 400300])
  })

  test('renews an expired token that is sent with it', async () => {
    const answer = await api.call('POST', '/api/v5/sessions', {
      body: { userId: newId(), ...device },
      headers: { 'x-api-key': appKey },
      token: 'expired',
    })
    expect(answer.status).toBe(200)
  })

  test('needs a key that is allowed it: none, a wrong or a revoked one is 401, another 403', async () => {
    const revoked = await keyFor('sessions')
    expect((await openSession({ key: revoked })).status).toBe(200)
    await database.pool.query("update api_key set revoked_at = now() where name = 'a test' and digest = sha256($1)", [
      Buffer.from(revoked),
    ])
    for (const key of ['', 'dkk_wrong', revoked, `${appKey} `.repeat(2)]) {
      expect(errorOf(await openSession({ key }))).toEqual([401, 400100])
    }
    for (const key of [rolesKey, serverKey]) expect(errorOf(await openSession({ key }))).toEqual([403, 400300])
    expect(
      errorOf(await api.call('POST', '/api/v5/sessions', { body: { userId: newId(), ...device }, token: admin })),
    ).toEqual([403, 400300])
  })
})

describe('a user whom a backend vouches for', () => {
  test('in secure mode everyone needs an authToken, and it opens that user’s sessions only', async () => {
    const userId = newId()
    expect(errorOf(await openSession({ over: { userId }, at: secure }))).toEqual([403, 400300])
    expect(await database.prisma.user.count({ where: { userId } })).toBe(0)

    const { status, type, text } = await vouch(userId)
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toMatch(/^dkt_[\w-]{43}$/)
    expect((await openSession({ over: { userId, authToken: text }, at: secure })).status).toBe(200)
    expect(errorOf(await openSession({ over: { authToken: text }, at: secure }))).toEqual([403, 400300])
    expect(errorOf(await openSession({ over: { userId, authToken: 'dkt_wrong' }, at: secure }))).toEqual([403, 400300])
  })

  test('expires after ten minutes, or once the server key is revoked', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const [userId, key] = [newId(), await keyFor('server')]
    const openWith = ({ text }: { text: string }) => openSession({ over: { userId, authToken: text }, at: secure })
    const first = await vouch(userId, key)
    vi.advanceTimersByTime(600_000 - 1)
    expect((await openWith(first)).status).toBe(200)
    vi.advanceTimersByTime(1)
    expect(errorOf(await openWith(first))).toEqual([403, 400300])

    const second = await vouch(userId, key)
    expect((await openWith(second)).status).toBe(200)
    await database.pool.query('update api_key set revoked_at = now() where digest = sha256($1)', [Buffer.from(key)])
    expect(errorOf(await openWith(second))).toEqual([403, 400300])

    vi.advanceTimersByTime(600_000 + 1)
    await vouch(newId())
    expect((await database.pool.query('select 1 from auth_token where user_id = $1', [userId])).rowCount).toBe(0)
  })
})

describe('ending sessions', () => {
  const opened = async (over: Record<string, unknown> = {}) => {
    const { body } = await openSession({ over })
    return { token: body.accessToken as string, userId: body.users[0].userId as string }
  }

  test('a session ends itself at once, and no other', async () => {
    const first = await opened()
    const second = await opened({ userId: first.userId })
    expect((await api.call('DELETE', '/api/v4/sessions', { token: first.token })).body).toEqual({ success: true })
    expect(errorOf(await verify(first.token))).toEqual([401, 400100])
    expect((await verify(second.token)).status).toBe(200)
  })

  test('an admin ends all of a user’s sessions, in either way; a user only all of their own', async () => {
    for (const path of [
      (id: string) => `/api/v4/sessions?userId=${id}`,
      (id: string) => `/api/v4/sessions/users/${id}`,
    ]) {
      const one = await opened()
      const other = await opened()
      expect(errorOf(await api.call('DELETE', path(one.userId), { token: other.token }))).toEqual([403, 400300])
      expect((await api.call('DELETE', path(one.userId), { token: admin })).status).toBe(200)
      expect((await verify(one.token)).status).toBe(401)
      expect((await api.call('DELETE', path(other.userId), { token: other.token })).status).toBe(200)
      expect((await verify(other.token)).status).toBe(401)
    }
    expect(errorOf(await api.call('DELETE', '/api/v4/sessions/users/nobody', { token: admin }))).toEqual([404, 400400])
    expect(errorOf(await api.call('DELETE', '/api/v4/sessions', { token: admin }))).toEqual([422, 500000])
    expect(errorOf(await api.call('DELETE', '/api/v4/sessions?userId=', { token: admin }))).toEqual([422, 500000])
  })

  test('an admin token verifies too, and has no user', async () => {
    expect((await verify(admin)).body).toMatchObject({ users: [], roles: [], files: [] })
    expect((await verify(admin)).body).not.toHaveProperty('userType')
  })
})

test('the last use of a token and a key is stored, and written at most once a minute', async () => {
  const { body } = await openSession()
  const lastUse = async () =>
    (
      await database.pool.query(
        'select last_used_at as at, xmin::text as version from access_token where digest = sha256($1)',
        [Buffer.from(body.accessToken)],
      )
    ).rows[0]
  expect((await lastUse()).at).toBeNull()
  await verify(body.accessToken)
  const first = await lastUse()
  expect(first.at).not.toBeNull()
  await verify(body.accessToken)
  expect(await lastUse()).toEqual(first)
  await database.pool.query("update access_token set last_used_at = now() - interval '1 hour'")
  await Promise.all([1, 2, 3].map(() => verify(body.accessToken)))
  expect((await lastUse()).at.getTime()).toBeGreaterThanOrEqual(first.at.getTime())
  const key = await database.pool.query('select last_used_at as at from api_key where digest = sha256($1)', [
    Buffer.from(appKey),
  ])
  expect(key.rows[0].at).not.toBeNull()
})

test('the eleventh failed attempt for one user is 429; other users’ attempts and successful ones continue', async () => {
  const { userId } = await make.user({ roles: ['moderator'] })
  for (let tries = 0; tries < 10; tries += 1) {
    expect(errorOf(await openSession({ over: { userId }, at: counted }))).toEqual([403, 400300])
  }
  const refused = await openSession({ over: { userId }, at: counted })
  expect(errorOf(refused)).toEqual([429, 400311])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

  const other = newId()
  for (let tries = 0; tries < 11; tries += 1) {
    expect((await openSession({ over: { userId: other }, at: counted })).status).toBe(200)
  }
  const statuses = new Set<number>()
  for (let tries = 0; tries < 30; tries += 1) statuses.add((await openSession({ at: counted })).status)
  expect([...statuses]).toEqual([200, 429])
})

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
