import { expect, test, vi } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { sharedByReads } from '#server/core/database/shared-connections.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'

const { database, url } = await testDatabase()
const { communityId } = await factoriesOf(database).heldComment()
const AT_ONCE = 24

test.each([
  ['the queue at the desk', `/api/trpc/review.queue?input=${encodeURIComponent(JSON.stringify({ communityId }))}`],
  ['the queue over REST', `/api/v3/communities/${communityId}/comments/review-queue`],
])('reads of %s, and the look-ups of their callers, share two connections', async (_name, path) => {
  const own = openDatabase({ url, connections: 16, onError: () => {} })
  const { call, staff, signIn, tokenOf } = await testApi(own)
  const person = await staff({ roleId: 'community-moderator', communityId })
  const headers = { cookie: await signIn(person) }
  const token = await tokenOf(person.userId)
  const read = () => call('GET', path, path.startsWith('/api/trpc') ? { headers } : { token })

  // The first use of a credential is noted, on a connection of its own.
  expect((await read()).status).toBe(200)
  const shared = sharedByReads(own.pool)
  const send = shared.query.bind(shared)
  // However quick the machine is, no caller is found before all are looked up, and no read is answered before all are sent.
  const waves = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sent = vi.spyOn(shared, 'query').mockImplementation(async (statement) => {
    const count = sent.mock.calls.length
    const wave = waves[Math.ceil(count / AT_ONCE) - 1]
    if (count % AT_ONCE === 0) wave?.resolve()
    await wave?.promise
    return send(statement)
  })
  const used = new Set<unknown>()
  own.pool.on('acquire', (client) => used.add(client))
  // However slow the machine is, no connection counts as stuck.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, read))
  vi.useRealTimers()
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: AT_ONCE }, () => 200))
  expect(sent).toHaveBeenCalledTimes(2 * AT_ONCE)
  expect(used.size).toBe(2)
})
