import { expect, test } from 'vitest'
import { standAside } from '#server/core/stand-aside.ts'

const IDLE = { totalCount: 8, idleCount: 8, waitingCount: 0 }
const MINUTE = { longestMs: 60_000 }

test('what has arrived has its turn first', async () => {
  let isAnswered = false
  setImmediate(() => {
    isAnswered = true
  })
  await standAside(IDLE, MINUTE)
  expect(isAnswered).toBe(true)
})

test.each([
  { idleCount: 7 },
  { waitingCount: 1 },
  { reads: { ...IDLE, idleCount: 7 } },
])('waits until nobody awaits the database any more: %o', async (use) => {
  const pool = { ...IDLE, ...use }
  let isAnswered = false
  setTimeout(() => {
    isAnswered = true
    Object.assign(pool, IDLE, { reads: IDLE })
  }, 20)
  await standAside(pool, MINUTE)
  expect(isAnswered).toBe(true)
})

test('goes on in a process that is always busy', async () => {
  await expect(standAside({ ...IDLE, idleCount: 0 })).resolves.toBeUndefined()
})
