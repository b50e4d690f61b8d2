import { afterAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { waitForDatabase } from '#server/core/database/wait-for-database.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { severableProxy } from '#server/testing/severable-proxy.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'

const { database, url } = await testDatabase()
const make = factoriesOf(database)

async function through(way: { url: string }): Promise<Database> {
  const opened = openDatabase({ url: way.url, connections: 4, onError: () => {} })
  afterAll(() => opened.close())
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
