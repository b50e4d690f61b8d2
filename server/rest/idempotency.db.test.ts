import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { forgetAnswers } from '#server/modules/ledger/idempotency/forget-answers.ts'
import { type ApiDocument, operationsOf } from '#server/rest/docs/api-document.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { STANDINGS } from '#server/testing/callers.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'
import { requestOf, withQuery } from '#server/testing/routes/row.ts'
import { happyCall } from '#server/testing/routes/rows.ts'
import { sampled } from '#server/testing/scaled.ts'
import { makeScenes } from '#server/testing/scene.ts'
import { tableApi } from '#server/testing/table-api.ts'

const { database, prisma, pool, make } = await testDatabase()
const recorded = recordStatements(pool)
const api = await tableApi(database)
const document: ApiDocument = (await api.call('GET', '/api/openapi.json')).body
const writes = operationsOf(document).filter(({ method }) => method !== 'GET')

const REUSED = { code: 500000, data: { detail: ['Idempotency-Key: was used for another request'] } }

test.each(
  sampled(writes, 30).map(({ method, path }) => `${method} ${path}`),
)('%s builds its answer before the commit, repeats it for the same key, and does nothing twice', async (route) => {
  const { row, caller } = happyCall(route)
  const [scene] = await makeScenes(database, { castings: [STANDINGS[caller]] })
  if (scene === undefined) throw new Error('one casting makes one scene')
  const { method, path, query, body } = requestOf(row, scene)
  const headers = { ...api.headersOf(caller, scene), 'idempotency-key': randomUUID() }
  const send = (over: Record<string, string> = {}) =>
    api.call(method, withQuery(path, { ...query, ...over }), { body, headers })

  const first = await send()
  expect(recorded.all.at(-1)).toBe('COMMIT')
  const done = await whatWasDone()
  const retry = await send()

  expect(first.status).toBe(200)
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect([retry.status, retry.body]).toEqual([first.status, first.body])
  expect(retry.headers.get('content-type')).toBe(first.headers.get('content-type'))
  expect(retry.headers.get('idempotency-replayed')).toBe('true')
  expect(await whatWasDone()).toEqual(done)
  expect(await send({ another: 'request' })).toMatchObject({ status: 422, body: REUSED })
})

/** All traces of any write: its log entries, its events, and the tokens it created. */
async function whatWasDone() {
  const { rows } = await pool.query(`
    select (select count(*) from audit) as audit, (select count(*) from event) as events, (select count(*) from access_token) as tokens,
      (select count(*) from auth_token) as vouchers, (select count(*) from decision) as decisions`)
  return rows
}

async function heldWithToken() {
  const [held, token] = await Promise.all([make.heldComment(), adminTokenOf(database, 'moderator')])
  const path = `/api/v3/comments/${held.commentId}/approve`
  const approve = (key: string, over: { token?: string; body?: unknown } = {}) =>
    api.call('POST', path, { token, ...over, headers: { 'idempotency-key': key } })
  return { ...held, token, path, approve }
}

test('of two concurrent requests with the same key one is done and the other must retry', async () => {
  const { commentId, approve } = await heldWithToken()
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from comment where comment_id = $1 for update', [commentId])

  const first = approve('at once')
  await waitForLockWaiter(database)
  const second = await approve('at once')
  await client.query('commit')
  client.release()

  expect(second).toMatchObject({
    status: 409,
    body: { code: 500000, message: 'A request with this Idempotency-Key is still being processed.' },
  })
  expect(second.headers.get('retry-after')).toBe('1')
  const done = await first
  expect(done.status).toBe(200)
  const third = await approve('at once')
  expect([third.status, third.body, third.headers.get('idempotency-replayed')]).toEqual([200, done.body, 'true'])
  expect(await prisma.decision.count({ where: { subjectId: commentId } })).toBe(1)
})

test('many concurrent requests with the same key make one decision, and each gets its answer or must retry', async () => {
  const { commentId, approve } = await heldWithToken()
  const answers = await Promise.all(Array.from({ length: 30 }, () => approve('a storm')))
  const first = answers.find(({ status, headers }) => status === 200 && !headers.has('idempotency-replayed'))
  for (const { status, body } of answers) {
    expect([200, 409]).toContain(status)
    if (status === 200) expect(body).toEqual(first?.body)
    else expect(body.message).toBe('A request with this Idempotency-Key is still being processed.')
  }
  expect(answers.filter(({ status, headers }) => status === 200 && !headers.has('idempotency-replayed'))).toHaveLength(
    1,
  )
  expect(await prisma.decision.count({ where: { subjectId: commentId } })).toBe(1)
})

test('a key belongs to its credential: another token of the same role does not get its answer', async () => {
  const { approve } = await heldWithToken()
  expect((await approve('mine')).status).toBe(200)
  const other = await approve('mine', { token: await adminTokenOf(database, 'moderator') })
  expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([409, null])
  expect(other.body.code).toBe(400409)
})

test('the same JSON in another order is the same request, and another value is another request', async () => {
  const { path, token } = await heldWithToken()
  const send = (body: string) => api.call('POST', path, { token, body, headers: { 'idempotency-key': 'in order' } })
  const first = await send('{"reason": "Fine", "version": 1}')
  expect(first.status).toBe(200)
  expect(await send('{"version":1,"reason":"Fine"}')).toMatchObject({ status: 200, body: first.body })
  expect(await send('{"version":1,"reason":"fine"}')).toMatchObject({ status: 422, body: REUSED })
  expect(await send('{"version":"1","reason":"Fine"}')).toMatchObject({ status: 422 })
})

test('a rejected request is rejected again with its key, although it would now succeed; a new key succeeds', async () => {
  const { userId } = await make.user()
  const token = await api.tokenOf(userId)
  const channel = await prisma.channel.create({
    data: { channelId: `c-${randomUUID()}`, type: 'community', isPublic: true },
  })
  const { channelId } = channel
  await prisma.channelUser.create({ data: { channelId, userId, membership: 'banned' } })
  const join = (key: string) =>
    api.call('POST', `/api/v3/channels/${channelId}/join`, { token, headers: { 'idempotency-key': key } })

  const first = await join('refused')
  await prisma.channelUser.update({ where: { channelId_userId: { channelId, userId } }, data: { membership: 'none' } })
  const retry = await join('refused')

  expect(first).toMatchObject({ status: 403, body: { code: 400304 } })
  expect([retry.status, retry.body, retry.headers.get('idempotency-replayed')]).toEqual([403, first.body, 'true'])
  expect((await join('another')).status).toBe(200)
})

test('a request rejected before it begins leaves its key unused: invalid, without credentials, or of an unsupported type', async () => {
  const { approve, path, token } = await heldWithToken()
  const headers = { 'idempotency-key': 'not begun' }
  expect((await approve('not begun', { body: { version: 0 } })).status).toBe(422)
  expect((await api.call('POST', path, { headers })).status).toBe(401)
  expect((await api.call('POST', path, { token, headers, body: '{' })).status).toBe(400)
  for (const type of ['multipart/form-data; boundary=x', 'text/plain', 'application/x-www-form-urlencoded']) {
    const sent = { token, headers: { ...headers, 'content-type': type }, body: '--x\r\n\r\n--x--' }
    const { status } = await api.call('POST', path, sent)
    expect([type, [400, 422].includes(status)]).toEqual([type, true])
  }
  const done = await approve('not begun')
  expect([done.status, done.headers.get('idempotency-replayed')]).toEqual([200, null])
})

test.each([
  'k',
  'x'.repeat(255),
  '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
  'a b~!',
])('accepts a key of %j', async (key) => {
  const { approve } = await heldWithToken()
  expect((await approve(key)).status).toBe(200)
  expect((await approve(key)).headers.get('idempotency-replayed')).toBe('true')
})

test.each([
  '',
  'x'.repeat(256),
  'é',
  'a\tb',
])('a key of %j is invalid on every write, and nothing is done', async (key) => {
  const { commentId, approve } = await heldWithToken()
  const answer = await approve(key)
  expect(answer).toMatchObject({
    status: 422,
    body: { code: 500000, data: { detail: [expect.stringContaining('Idempotency-Key: ')] } },
  })
  expect(await prisma.decision.count({ where: { subjectId: commentId } })).toBe(0)
  const settings = { token: await api.tokenOf(), body: { isReportEnabled: true }, headers: { 'idempotency-key': key } }
  expect((await api.call('PUT', '/api/v3/network-settings/moderation', settings)).status).toBe(422)
})

test('rejects a body nested too deeply with a key as without one', async () => {
  const token = await api.tokenOf((await make.user()).userId)
  const body = `{"referenceType":"content","referenceId":"x","data":{"text":"x","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`
  const answer = await api.call('POST', '/api/v3/comments', { token, body, headers: { 'idempotency-key': 'deep' } })
  expect([answer.status, answer.body.code]).toEqual([400, 400000])
})

test('an answer is repeated for 24 hours; then the request runs again, and the worker removes answers in batches', async () => {
  const { approve, token } = await heldWithToken()
  expect((await approve('old')).status).toBe(200)
  const age = (hours: number) =>
    pool.query(`update idempotency_key set created_at = now() - make_interval(secs => $1)`, [hours * 3600])

  await age(23.9)
  expect(await forgetAnswers(systemCtx(database))).toBe(false)
  expect((await approve('old')).headers.get('idempotency-replayed')).toBe('true')

  await age(24.1)
  const anew = await approve('old')
  expect([anew.status, anew.body.code, anew.headers.get('idempotency-replayed')]).toEqual([409, 400409, null])
  expect((await approve('old')).headers.get('idempotency-replayed')).toBe('true')

  await pool.query(`
    insert into idempotency_key (credential, key_digest, request_digest, status, answer, created_at)
    select 'token:gone', int4send(n), '', 200, '', now() - interval '25 hours' from generate_series(1, 2001) n`)
  await pool.query(
    `delete from idempotency_key where credential <> 'token:gone' and created_at <= now() - interval '24 hours'`,
  )
  expect(await forgetAnswers(systemCtx(database))).toBe(true)
  expect(await forgetAnswers(systemCtx(database))).toBe(false)
  expect(await prisma.idempotencyKey.count({ where: { credential: 'token:gone' } })).toBe(0)
  expect((await approve('old', { token })).headers.get('idempotency-replayed')).toBe('true')
})

test('the database holds neither key, request nor answer in plain text, and an answer fits its own row only', async () => {
  const key = `a-key-${randomUUID()}`
  const userId = `user-${randomUUID()}`
  const [scene] = await makeScenes(database, { castings: [undefined] })
  if (scene === undefined) throw new Error('one casting makes one scene')
  const headers = { ...api.headersOf('key', scene), 'idempotency-key': key }
  const open = (deviceId: string, over: Record<string, string> = {}) =>
    api.call('POST', '/api/v5/sessions', { body: { userId, deviceId }, headers: { ...headers, ...over } })
  const { body } = await open('device')
  expect(body.accessToken).toEqual(expect.any(String))
  expect((await open('device')).body.accessToken).toBe(body.accessToken)

  const { rows } = await pool.query<{ row: string }>('select idempotency_key::text as row from idempotency_key')
  const dump = rows.map(({ row }) => row).join()
  for (const secret of [key, userId, body.accessToken]) {
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
  }

  const other = `b-key-${randomUUID()}`
  expect((await open('another', { 'idempotency-key': other })).status).toBe(200)
  await pool.query(
    `
    update idempotency_key one set answer = two.answer from idempotency_key two
    where one.key_digest = sha256($1::text::bytea) and two.key_digest = sha256($2::text::bytea)`,
    [key, other],
  )
  const unreadable = { data: { detail: ['Idempotency-Key: its first answer can no longer be read'] } }
  expect(await open('device')).toMatchObject({ status: 422, body: unreadable })
})
