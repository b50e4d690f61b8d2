import { afterEach, expect, test, vi } from 'vitest'
import { page } from '../testing/queue-state.ts'
import { withRequestTime } from './queue-queries.ts'

afterEach(() => vi.unstubAllGlobals())

test('marks a page with the time of its request, so that changes before its response are applied to it', async () => {
  vi.stubGlobal('window', {})
  const before = performance.now()
  const response = Promise.withResolvers<ReturnType<typeof page>>()
  const reading = withRequestTime(() => response.promise)?.({})
  const changedAt = performance.now()
  response.resolve(page([]))
  const { requestedAt = 0 } = (await reading) ?? {}
  expect(requestedAt).toBeGreaterThanOrEqual(before)
  expect(requestedAt).toBeLessThanOrEqual(changedAt)
})

test('pages rendered by the server have no request time, as its clock is a different one', async () => {
  expect(await withRequestTime(async () => page([]))?.({})).toMatchObject({ requestedAt: undefined })
})
