import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()
const { url, tokenOf } = await testApi(database, { RATE_LIMITS: 'off' })
const token = await tokenOf()

const MEGABYTE = 1_000_000
const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
const BOMBS: Record<string, { body: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> }> = {
  '200,000 lists in each other': { body: nested('[', ']', 200_000) },
  '100,000 objects in each other': { body: nested('{"a":', '}', 100_000) },
  '80,000 names': { body: `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(',')}}` },
  'one name 70,000 times': { body: `{${'"reason":"a",'.repeat(70_000)}"reason":"b"}` },
  'a number of 900,000 digits': { body: `{"version":${'9'.repeat(900_000)}}` },
  '150,000 escapes': { body: `{"reason":"${'\\u0041'.repeat(150_000)}"}` },
  'names of the prototype': { body: '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}' },
  'more than a megabyte': { body: `{"reason":"${'x'.repeat(5 * MEGABYTE)}"}` },
  '100 MB in 100 kB of gzip': {
    body: new Uint8Array(gzipSync(Buffer.alloc(100 * MEGABYTE, ' '))),
    headers: { 'content-encoding': 'gzip' },
  },
  'a length that is none': { body: '{}', headers: { 'content-type': 'application/json; charset=utf-7' } },
}
const PATHS = ['/api/v3/comments/nothing/decline', '/api/trpc/review.decide', '/api/auth/sign-in/email']

for (const path of PATHS) {
  test.each(Object.entries(BOMBS))(`${path} rejects %s, and still answers others`, async (_what, bomb) => {
    const [answer, health] = await Promise.all([
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, origin: url, 'content-type': 'application/json', ...bomb.headers },
        body: bomb.body,
      }).catch((error: unknown) => error),
      fetch(`${url}/healthz`),
    ])
    expect(health.status).toBe(200)
    // A body that is too long is cut off: the connection may close before its sender reads the answer.
    if (!(answer instanceof Response)) return expect(String(answer)).toMatch(/fetch failed/)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(Object.keys(Object.prototype)).toEqual([])
  })
}
