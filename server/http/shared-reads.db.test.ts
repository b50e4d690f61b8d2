import { expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'

const { database, url } = await testDatabase()
const { communityId } = await factoriesOf(database).heldComment()
const AT_ONCE = 24
const CONNECTIONS = 16

test.each([
  ['the queue at the desk', `/api/trpc/review.queue?input=${encodeURIComponent(JSON.stringify({ communityId }))}`],
  ['the queue over REST', `/api/v3/communities/${communityId}/comments/review-queue`],
])('many reads of %s at once take few connections', async (_name, path) => {
  const own = openDatabase({ url, connections: CONNECTIONS, onError: () => {} })
  const { call, staff, signIn, tokenOf } = await testApi(own)
  const person = await staff({ roleId: 'community-moderator', communityId })
  const headers = { cookie: await signIn(person) }
  const token = await tokenOf(person.userId)
  const read = () => call('GET', path, path.startsWith('/api/trpc') ? { headers } : { token })
  const readAtOnce = () => Promise.all(Array.from({ length: AT_ONCE }, read))

  // The caller is looked up once, on a connection of its own; a new connection takes long over its first statement.
  await readAtOnce()
  let used = 0
  own.pool.on('acquire', () => {
    used = Math.max(used, own.pool.totalCount - own.pool.idleCount)
  })
  const answers = await readAtOnce()
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: AT_ONCE }, () => 200))
  expect(used).toBeGreaterThan(0)
  // Two, and one of its own for each read that came while a busy machine kept both waiting.
  expect(used).toBeLessThan(CONNECTIONS / 2)
})
