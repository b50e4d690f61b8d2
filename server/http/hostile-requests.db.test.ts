import { describe, expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { hostileRequests } from '#server/testing/hostile-requests.ts'
import { sendRaw } from '#server/testing/send-raw.ts'

const { database } = await testDatabase()
const api = await testApi(database, { TRUST_PROXY: '3', RATE_LIMITS: 'off' })
const origin = 'http://127.0.0.1'
const requests = hostileRequests(await api.tokenOf())

test.each(requests)('a request that is dear to read, $name, is answered $status', async ({ status, bytes }) => {
  const answer = await sendRaw(api.url, bytes)
  expect(answer.status).toBe(status)
  if (status !== 200) expect(isRejection(answer.body)).toBe(true)
})

/** In the envelope of the interface, or in the shape of the desk's. */
function isRejection(body: string): boolean {
  return /"status":"error"|"docket":\{"wire":\d+/.test(body)
}

describe('incomplete requests', () => {
  const times = { headersMs: 300, bodyMs: 600, checkEveryMs: 100 }

  test.each([
    ['headers that never end', 'GET /healthz HTTP/1.1\r\nhost: a\r\nx-slow: '],
    [
      'a body that is half sent',
      `POST /api/auth/sign-in/email HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: ${origin}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"email"`,
    ],
    [
      'chunks without an end',
      `POST /api/auth/sign-in/email HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: ${origin}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"ema\r\n`,
    ],
  ])('%s: answers 408 and closes the connection', async (_, sent) => {
    const slow = await testApi(database, {}, { arrivalTimes: times })
    const answer = await sendRaw(slow.url, sent)
    expect(answer.status).toBe(408)
    expect(JSON.parse(answer.body)).toEqual({ status: 'error', code: 400000, message: 'Bad Request.' })
  })
})

test('answers headers that are too long in the envelope, and closes the connection', async () => {
  const answer = await sendRaw(api.url, `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(250_000)}\r\n\r\n`)
  expect(answer.head).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
  expect(answer.head).toMatch(/connection: close/)
  expect(JSON.parse(answer.body)).toEqual({ status: 'error', code: 400000, message: 'Bad Request.' })
})

test.each(['a b', '"><', 'x:y:z', '[', '', 'é'])('a host of %j is answered without a 500', async (host) => {
  for (const target of ['/healthz', '/api/v3/sessions', '/api/auth/passkey/generate-authenticate-options']) {
    const { status } = await sendRaw(api.url, `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(500)
  }
})

test('accepts the longest allowed request: twenty roles of 900 characters, percent-encoded', async () => {
  const roles = Array.from({ length: 20 }, () => `roles[]=${encodeURIComponent('漢'.repeat(900))}`).join('&')
  const answer = await api.call('GET', `/api/v3/channels/${'c'.repeat(900)}/users?${roles}`, {
    token: await api.tokenOf(),
  })
  expect(answer.status).toBe(404)
})
