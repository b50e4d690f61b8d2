import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { LINK_PROCEDURES, SEARCH_PROCEDURES } from '#server/http/rate-limits.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { appRouter } from '#server/trpc/root.ts'

const { database } = await testDatabase()
const plain = await testApi(database)
const shared = await testApi(database, { CORS_ORIGINS: 'https://app.example, https://two.example' })
const [admin, other] = await Promise.all([plain.tokenOf(), plain.tokenOf()])

const READ = '/api/v3/sessions'
const WRITE = '/api/v3/comments/nothing/approve'
const inEnvelope = ({ status, body }: { status: number; body: { status: string; code: number } }) => [
  status,
  body.status,
  body.code,
]

describe('rate limits', () => {
  const statuses = async (count: number, call: () => Promise<{ status: number }>) => {
    const answers: number[] = []
    for (let index = 0; index < count; index += 1) answers.push((await call()).status)
    return answers
  }

  test('a token has its own limits for reads and writes, and the error then says when to retry', async () => {
    const { call } = await testApi(database, { RATE_LIMITS: 'read=3/h,write=2/h' })
    expect(await statuses(4, () => call('GET', READ, { token: admin }))).toEqual([200, 200, 200, 429])
    expect(await statuses(3, () => call('POST', WRITE, { token: admin }))).toEqual([404, 404, 429])
    expect(await statuses(1, () => call('GET', READ, { token: other }))).toEqual([200])

    const refused = await call('GET', READ, { token: admin })
    expect([...inEnvelope(refused), refused.body]).toEqual([
      429,
      'error',
      400311,
      { status: 'error', code: 400311, message: 'RateLimit Exceed.' },
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
  })

  test('an address has five times as many, whatever credentials it tries', async () => {
    const { call } = await testApi(database, { RATE_LIMITS: 'read=1/h' })
    const answers: number[] = []
    for (let index = 0; index < 6; index += 1)
      answers.push((await call('GET', READ, { token: `wrong-${index}` })).status)
    expect(answers).toEqual([401, 401, 401, 401, 401, 429])
    expect((await call('GET', READ, { token: admin })).status).toBe(429)
  })

  test.each([
    'websocket',
    'h2c',
  ])('a request to upgrade to %s counts by its address as any other, and beyond the limit it is told to wait', async (protocol) => {
    const { url } = await testApi(database, { RATE_LIMITS: 'read=1/h' })
    const ask = async () => {
      const headers = { connection: 'Upgrade', upgrade: protocol }
      const asked = get(`${url}${READ}`, { headers, agent: false })
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'close')
      return answer
    }
    const answers: (number | undefined)[] = []
    for (let index = 0; index < 5; index += 1) answers.push((await ask()).statusCode)
    expect(answers).toEqual([401, 401, 401, 401, 401])
    const refused = await ask()
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('spaces around a token, or another case of its scheme, do not make it another caller', async () => {
    const { call } = await testApi(database, { RATE_LIMITS: 'write=2/h' })
    const answers: number[] = []
    for (const authorization of [
      `Bearer ${admin}`,
      `Bearer  ${admin}`,
      `Bearer   ${admin} `,
      `bearer ${admin}`,
      `BEARER ${admin}  `,
    ])
      answers.push((await call('POST', WRITE, { headers: { authorization } })).status)
    expect(answers).toEqual([404, 404, 429, 429, 429])
  })

  test('a key, which all users of an app share, counts by the address alone', async () => {
    const { call } = await testApi(database, { RATE_LIMITS: 'write=1/h' })
    const answers: number[] = []
    for (let index = 0; index < 6; index += 1)
      answers.push((await call('POST', '/api/v5/sessions', { body: {}, headers: { 'x-api-key': 'a key' } })).status)
    expect(answers).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('resets once the span is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { call } = await testApi(database, { RATE_LIMITS: 'read=1/h' })
    expect(await statuses(2, () => call('GET', READ, { token: admin }))).toEqual([200, 429])
    vi.advanceTimersByTime(3_600_000 - 1)
    expect(await statuses(1, () => call('GET', READ, { token: admin }))).toEqual([429])
    vi.advanceTimersByTime(1)
    expect(await statuses(1, () => call('GET', READ, { token: admin }))).toEqual([200])
  })
})

describe('rate limits of the desk', () => {
  const asked = (procedure: string, calls: number, input: object = {}) => {
    const inputs = Object.fromEntries(Array.from({ length: calls }, (_, index) => [index, input]))
    const paths = Array.from({ length: calls }, () => procedure).join(',')
    return `/api/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`
  }

  test('each call of a batch counts, by the session and by the address', async () => {
    const { call, staff, signIn } = await testApi(database, { RATE_LIMITS: 'read=20/h,signin=1000/h' })
    const cookies = [await signIn(await staff({ roleId: 'support' })), await signIn(await staff({ roleId: 'support' }))]
    const ask = async (calls: number, cookie = '') =>
      (await call('GET', asked('access.me', calls), { headers: { cookie } })).status
    expect(await ask(19, cookies[0])).toBe(200)
    expect(await ask(2, cookies[0])).toBe(429)
    expect(await ask(20, cookies[1])).toBe(200)
    for (let index = 0; index < 2; index += 1) expect(await ask(20)).toBe(401)
    expect(await ask(20, cookies[1])).toBe(429)
  })

  test('answers twenty calls in one request, and rejects twenty-one before any of them runs', async () => {
    const { url, call, staff, signIn } = await testApi(database)
    const cookie = await signIn(await staff({ roleId: 'support' }))
    const twenty = await call('GET', asked('access.me', 20), { headers: { cookie } })
    expect([twenty.status, twenty.body.length]).toEqual([200, 20])
    const more = await call('GET', asked('access.me', 21), { headers: { cookie } })
    expect([more.status, more.body.error.data.docket.facts]).toEqual([
      400,
      { detail: ['at most 20 calls in one request'] },
    ])
    const sent = await call('POST', `/api/trpc/${Array(21).fill('review.undo').join(',')}?batch=1`, {
      body: {},
      headers: { cookie, origin: url },
    })
    expect(sent.status).toBe(400)
  })

  test('the error has the shape that the desk reads, with when to retry', async () => {
    const { url, call } = await testApi(database, { RATE_LIMITS: 'write=1/h' })
    const act = () => call('POST', '/api/trpc/review.undo', { body: {}, headers: { origin: url } })
    for (let index = 0; index < 5; index += 1) expect((await act()).status).toBe(401)
    const refused = await act()
    expect([refused.status, refused.body.error.data]).toMatchObject([
      429,
      { code: 'TOO_MANY_REQUESTS', httpStatus: 429, docket: { wire: 400311 } },
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  let networks = 0

  test.each([
    ['invitations', '/api/trpc/staff.link?input=%7B%22token%22%3A%22x%22%7D', 'GET'],
    ['invitations in a batch', asked('staff.link', 5, { token: 'x' }), 'GET'],
    ['the set-up link', '/api/trpc/access.setUp', 'POST'],
    ['the page of an invitation', '/invite?token=x', 'GET'],
    ['what passkeys start with', '/api/auth/passkey/generate-authenticate-options', 'GET'],
    ['codes', '/api/auth/two-factor/verify-totp', 'POST'],
  ])('guessing at %s counts as signing in, for all processes together', async (_, path, method) => {
    const environment = { RATE_LIMITS: 'signin=2/h', TRUST_PROXY: '1' }
    const processes = await Promise.all([testApi(database, environment), testApi(database, environment)])
    networks += 1
    const address = `2001:db8:0:${networks}::1`
    const statuses: number[] = []
    for (let index = 0; index < 12; index += 1) {
      const { url, call } = processes[index % 2] ?? plain
      const headers = { origin: url, 'x-forwarded-for': address }
      statuses.push((await call(method, path, { headers, ...(method === 'POST' && { body: {} }) })).status)
    }
    const perRequest = path.includes(',') ? 5 : 1
    expect(statuses.filter((status) => status !== 429)).toHaveLength(10 / perRequest)
    expect(statuses.at(-1)).toBe(429)
  })

  test('searches have their own limit, for every procedure that searches words or names', async () => {
    const known = Object.keys(appRouter._def.procedures)
    expect(known).toEqual(expect.arrayContaining([...SEARCH_PROCEDURES, ...LINK_PROCEDURES]))
    const { call } = await testApi(database, { RATE_LIMITS: 'search=1/h' })
    const statuses: number[] = []
    for (let index = 0; index < 6; index += 1) statuses.push((await call('GET', '/api/trpc/palette.find')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await call('GET', '/api/trpc/access.me')).status).toBe(401)
  })

  test('probes are never rate-limited', async () => {
    const { call } = await testApi(database, { RATE_LIMITS: 'read=1/h' })
    for (let index = 0; index < 20; index += 1) {
      expect((await call('GET', '/healthz')).status).toBe(200)
      expect((await call('GET', '/readyz')).status).toBe(200)
    }
  })
})

describe('metrics', () => {
  const TOKEN = 'a token for metrics'
  const status = async (environment: Record<string, string>, headers: Record<string, string> = {}) =>
    (await (await testApi(database, environment)).call('GET', '/metrics', { headers })).status

  test('are open without a token to programs of this machine, and never through a proxy', async () => {
    expect(await status({})).toBe(200)
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded-proto'])
      expect(await status({}, { [name]: '127.0.0.1' })).toBe(404)
    for (const trusted of ['true', '1', '127.0.0.1'])
      for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }])
        expect(await status({ TRUST_PROXY: trusted }, headers as Record<string, string>)).toBe(404)
  })

  test('are open with a token from anywhere', async () => {
    const environment = { METRICS_TOKEN: TOKEN, TRUST_PROXY: 'true' }
    expect(await status(environment)).toBe(401)
    expect(await status(environment, { authorization: `Bearer ${TOKEN}` })).toBe(200)
  })
})

describe('methods', () => {
  test('HEAD answers as GET does, without a body', async () => {
    const answer = await plain.call('HEAD', READ, { token: admin })
    expect([answer.status, answer.body]).toEqual([200, undefined])
    expect((await plain.call('HEAD', READ)).status).toBe(401)
    expect((await plain.call('HEAD', '/api/v3/nothing', { token: admin })).status).toBe(404)
  })

  test('OPTIONS returns the methods a path accepts, to anyone', async () => {
    const answer = await plain.call('OPTIONS', '/api/v4/sessions?a=b')
    expect([answer.status, answer.headers.get('allow'), answer.body]).toEqual([204, 'DELETE, POST, OPTIONS', undefined])
    const byId = await plain.call('OPTIONS', `/api/v3/comments/${encodeURIComponent('ü/漢')}/approve`)
    expect(byId.headers.get('allow')).toBe('POST, OPTIONS')
    expect(inEnvelope(await plain.call('OPTIONS', '/api/v3/nothing'))).toEqual([404, 'error', 400400])
  })

  test.each([
    'PATCH',
    'PUT',
    'PROPFIND',
    'PURGE',
    'MKCOL',
  ])('%s on a path that does not accept it is 400400', async (method) => {
    expect(inEnvelope(await plain.call(method, READ, { token: admin }))).toEqual([404, 'error', 400400])
  })

  test.each([
    'NONSENSE /api/v3/sessions HTTP/1.1\r\n\r\n',
    'no http at all\r\n\r\n',
    'GET / HTTP/1.1\r\nno colon\r\n\r\n',
  ])('an invalid request is 400000: %j', async (sent) => {
    const answer = await exchange(plain.url, sent)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      status: 'error',
      code: 400000,
      message: 'Bad Request.',
    })
  })
})

describe('pages of other origins', () => {
  const from = (origin: string, more: Record<string, string> = {}) => ({ headers: { origin, ...more } })
  const allowed = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin')

  test('get no CORS headers unless the setting names them', async () => {
    const asked = { 'access-control-request-method': 'PUT' }
    for (const answer of [
      await plain.call('GET', READ, from('https://app.example')),
      await plain.call('OPTIONS', READ, from('https://app.example', asked)),
      await shared.call('GET', READ, from('https://elsewhere.example')),
      await shared.call('OPTIONS', READ, from('https://elsewhere.example', asked)),
      await shared.call('OPTIONS', READ, from('null', asked)),
    ]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  test('named in the setting may call the interface, without cookies, and read when to retry', async () => {
    const preflight = await shared.call(
      'OPTIONS',
      READ,
      from('https://two.example', {
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,x-own',
      }),
    )
    expect([preflight.status, allowed(preflight)]).toEqual([204, 'https://two.example'])
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,x-own')

    const refused = await shared.call('GET', READ, from('https://app.example'))
    expect([refused.status, allowed(refused)]).toEqual([401, 'https://app.example'])
    expect(refused.headers.get('access-control-expose-headers')).toBe('idempotency-replayed, retry-after, x-request-id')
    expect(refused.headers.get('vary')).toMatch(/\bOrigin\b/)
    expect(refused.headers.has('access-control-allow-credentials')).toBe(false)
  })

  test('never reach the desk’s own routes', async () => {
    for (const path of ['/api/trpc/access.me', '/api/auth/sign-out', '/healthz']) {
      expect(allowed(await shared.call('GET', path, from('https://app.example')))).toBeNull()
    }
  })

  test('may be all of them', async () => {
    const { call } = await testApi(database, { CORS_ORIGINS: '*' })
    expect(allowed(await call('GET', READ, from('https://anyone.example')))).toBe('*')
  })

  test.each([
    'https://app.example/',
    'app.example',
    'https://app.example/path',
    'null',
    '',
  ])('a setting of %j is not an origin, or is none', async (origins) => {
    const start = testApi(database, { CORS_ORIGINS: origins })
    await (origins === '' ? expect(start).resolves.toBeDefined() : expect(start).rejects.toThrow(/CORS_ORIGINS/))
  })
})

/** What the server writes in reply to these bytes, until it closes the connection. */
function exchange(url: string, sent: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(sent))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}
