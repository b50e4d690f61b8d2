import { expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { waitForDatabase } from '#server/core/database/wait-for-database.ts'
import { testApi } from '#server/testing/api.ts'
import { STANDINGS } from '#server/testing/callers.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { PROCEDURES } from '#server/testing/procedures/call-procedure.ts'
import { type DeskScene, makeDeskScenes } from '#server/testing/procedures/desk-callers.ts'
import { DESK_ROWS } from '#server/testing/procedures/rows.ts'
import { requestOf, withQuery } from '#server/testing/routes/row.ts'
import { ROWS } from '#server/testing/routes/rows.ts'
import { makeScenes } from '#server/testing/scene.ts'
import { severableProxy } from '#server/testing/severable-proxy.ts'
import { tableApi } from '#server/testing/table-api.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'
import { whenOver } from '#server/testing/when-over.ts'

const { database, url, make } = await testDatabase()

async function through(way: { url: string }): Promise<Database> {
  const opened = openDatabase({ url: way.url, connections: 4, onError: () => {} })
  whenOver(() => opened.close())
  return opened
}

test('while the database is unavailable, reads and decisions answer 503 in the envelope; afterwards all work again', async () => {
  const way = await severableProxy(new URL(url))
  const api = await testApi(await through(way), { LOG_LEVEL: 'silent' })
  const token = await api.tokenOf()
  const held = await make.heldComment()
  const list = () => api.call('GET', `/api/v3/communities/${held.communityId}/comments/review-queue`, { token })
  const approve = () => api.call('POST', `/api/v3/comments/${held.commentId}/approve`, { token })
  expect((await list()).status).toBe(200)

  await way.cut()
  for (const answer of [await list(), await approve(), await list()]) {
    expect([answer.status, answer.body]).toEqual([
      503,
      { status: 'error', code: 500000, message: 'Service unavailable.' },
    ])
  }

  await way.mend()
  expect((await list()).status).toBe(200)
  expect((await approve()).status).toBe(200)
})

/** What answers without the database, or is a stream. */
const WITHOUT_DATABASE = new Set(['live.events'])

test('while the database is unavailable, every procedure of the desk answers 503 with when to try again', async () => {
  const way = await severableProxy(new URL(url))
  const api = await testApi(await through(way), { LOG_LEVEL: 'silent', RATE_LIMITS: 'off' })
  const rows = DESK_ROWS.filter(({ procedure }) => !WITHOUT_DATABASE.has(procedure))
  const scenes = await makeDeskScenes(
    database,
    rows.map(() => 'admin' as const),
  )
  const { id: staffId } = await database.prisma.staffAccount.findFirstOrThrow({
    where: { networkUserId: scenes[0]?.me ?? '' },
  })
  const headers = { cookie: await api.signIn({ staffId }), origin: api.url, 'content-type': 'application/json' }
  const call = ({ procedure, input }: { procedure: string; input: unknown }) => {
    const given = input === undefined ? undefined : JSON.stringify(input)
    return PROCEDURES[procedure]?._def.type === 'mutation'
      ? api.call('POST', `/api/trpc/${procedure}`, { headers, body: given ?? '' })
      : api.call('GET', `/api/trpc/${procedure}?input=${encodeURIComponent(given ?? '')}`, { headers })
  }
  const calls: { procedure: string; input: unknown }[] = []
  for (const [index, { procedure, input }] of rows.entries())
    calls.push({ procedure, input: await input?.(scenes[index] as DeskScene) })
  await way.cut()
  const answers = await Promise.all(calls.map(async (one) => ({ ...one, ...(await call(one)) })))
  const wrong = answers.filter(({ status, headers }) => status !== 503 || headers.get('retry-after') !== '1')
  expect(wrong.map(({ procedure, status }) => `${procedure} answers ${status}`)).toEqual([])
  const batch = await api.call('GET', '/api/trpc/access.me,bulk.recent?batch=1', { headers })
  expect([batch.status, batch.body]).toEqual([
    503,
    { error: expect.objectContaining({ message: 'Service unavailable.' }) },
  ])
})

test('while the database is unavailable, every route answers 503 with when to try again', async () => {
  const way = await severableProxy(new URL(url))
  const api = await tableApi(database, { LOG_LEVEL: 'silent' })
  const away = await testApi(await through(way), { LOG_LEVEL: 'silent', RATE_LIMITS: 'off' })
  const [scene] = await makeScenes(database, { castings: [STANDINGS.member] })
  if (scene === undefined) throw new Error('one casting makes one scene')
  const headers = api.headersOf('admin', scene)
  const requests = ROWS.map((row) => ({ row, ...requestOf(row, scene) }))
  await way.cut()
  const answers = await Promise.all(
    requests.map(async ({ row, method, path, query, body }) => ({
      ...row,
      ...(await away.call(method, withQuery(path, query), { headers, body })),
    })),
  )
  const wrong = answers.filter(({ status, headers }) => status !== 503 || headers.get('retry-after') !== '1')
  expect(wrong.map(({ route, status }) => `${route} answers ${status}`)).toEqual([])
})

test('while the database is unavailable, every step of signing in and out answers 503', async () => {
  const way = await severableProxy(new URL(url))
  const api = await testApi(await through(way), { LOG_LEVEL: 'silent' })
  const person = await api.staff({ roleId: 'support' })
  const cookie = await api.signInByPassword(person)
  await way.cut()
  const ask = (method: string, step: string, body?: unknown) =>
    api.call(method, `/api/auth/${step}`, { body, headers: { cookie, origin: api.url } })
  const response = { id: 'some', rawId: 'some', type: 'public-key', response: {}, clientExtensionResults: {} }
  const answers = await Promise.all([
    ask('POST', 'sign-in/email', { email: person.email, password: person.password }),
    ask('POST', 'two-factor/verify-totp', { code: '123456' }),
    ask('POST', 'two-factor/verify-backup-code', { code: '123456' }),
    ask('GET', 'passkey/generate-register-options'),
    ask('GET', 'passkey/generate-authenticate-options'),
    ask('POST', 'passkey/verify-registration', { response }),
    ask('POST', 'passkey/verify-authentication', { response }),
    ask('POST', 'sign-out', {}),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
})

test('replaces connections that the server closes before a request fails', async () => {
  const way = await severableProxy(new URL(url))
  const opened = await through(way)
  const api = await testApi(opened)
  const token = await api.tokenOf()
  const { communityId } = await make.heldComment()
  const list = () => api.call('GET', `/api/v3/communities/${communityId}/comments/review-queue`, { token })
  await Promise.all([list(), list(), list(), list()])

  await way.cut()
  await way.mend()
  await eventually('the pool has let go of the closed connections', () => opened.pool.totalCount).toBe(0)
  expect((await list()).status).toBe(200)
})

test('a start waits for a database that is down for a limited time, then fails with one line', async () => {
  const way = await severableProxy(new URL(url))
  await way.cut()
  const gone = await through(way)
  await expect(waitForDatabase(gone, 300)).rejects.toThrow(
    /^The database did not answer within 0\.3 s: connect ECONNREFUSED/,
  )

  const tries = vi.spyOn(gone.pool, 'query')
  const waiting = waitForDatabase(gone, WAIT_LIMIT_MS)
  await eventually('it has tried again', () => tries.mock.calls.length).toBeGreaterThan(1)
  await way.mend()
  await expect(waiting).resolves.toBeUndefined()
})
