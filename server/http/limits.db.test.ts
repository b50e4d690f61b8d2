import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

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

describe('how often one may call', () => {
  const statuses = async (count: number, call: () => Promise<{ status: number }>) => {
    const answers: number[] = []
    for (let index = 0; index < count; index += 1) answers.push((await call()).status)
    return answers
  }

  test('a token has so many reads and so many writes of its own, and is then told when to come back', async () => {
    const { call } = await testApi(database, { RATE_LIMITS: 'read=3/m,write=2/m' })
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
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  })

  test('an address has five times as many, whatever credentials it tries', async () => {
    const { call } = await testApi(database, { RATE_LIMITS: 'read=1/m' })
    const answers: number[] = []
    for (let index = 0; index < 6; index += 1)
      answers.push((await call('GET', READ, { token: `wrong-${index}` })).status)
    expect(answers).toEqual([401, 401, 401, 401, 401, 429])
    expect((await call('GET', READ, { token: admin })).status).toBe(429)
  })

  test('comes back once the span is over', async () => {
    const { call } = await testApi(database, { RATE_LIMITS: 'read=1/s' })
    expect(await statuses(2, () => call('GET', READ, { token: admin }))).toEqual([200, 429])
    await expect.poll(async () => (await call('GET', READ, { token: admin })).status, { timeout: 5_000 }).toBe(200)
  })
})

describe('methods', () => {
  test('HEAD answers as GET does, without a body', async () => {
    const answer = await plain.call('HEAD', READ, { token: admin })
    expect([answer.status, answer.body]).toEqual([200, undefined])
    expect((await plain.call('HEAD', READ)).status).toBe(401)
    expect((await plain.call('HEAD', '/api/v3/nothing', { token: admin })).status).toBe(404)
  })

  test('OPTIONS tells which a path takes, to anybody', async () => {
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
  ])('%s on a path that does not take it is 400400', async (method) => {
    expect(inEnvelope(await plain.call(method, READ, { token: admin }))).toEqual([404, 'error', 400400])
  })

  test.each([
    'NONSENSE /api/v3/sessions HTTP/1.1\r\n\r\n',
    'no http at all\r\n\r\n',
    'GET / HTTP/1.1\r\nno colon\r\n\r\n',
  ])('what is no request is 400000: %j', async (sent) => {
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

  test('are told nothing unless the setting names them', async () => {
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

  test('that it names may call the interface, without cookies, and read when to come back', async () => {
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
    expect(refused.headers.get('access-control-expose-headers')).toBe('retry-after, x-request-id')
    expect(refused.headers.get('vary')).toMatch(/\bOrigin\b/)
    expect(refused.headers.has('access-control-allow-credentials')).toBe(false)
  })

  test("never come to the desk's own doors", async () => {
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
  ])('a setting of %j is no origin, or none', async (origins) => {
    const start = testApi(database, { CORS_ORIGINS: origins })
    await (origins === '' ? expect(start).resolves.toBeDefined() : expect(start).rejects.toThrow(/CORS_ORIGINS/))
  })
})

/** What the server writes in reply to these bytes, until it hangs up. */
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
