import { afterEach, expect, test, vi } from 'vitest'
import { batched } from '#server/core/batched.ts'

afterEach(() => void vi.useRealTimers())

test('runs calls of the same moment together, and answers each with its own result', async () => {
  const runs: number[][] = []
  const double = batched(
    async (numbers: number[]) => {
      runs.push(numbers)
      return numbers.map((number) => 2 * number)
    },
    { windowMs: 5 },
  )
  expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6])
  expect(runs).toEqual([[1, 2, 3]])
})

test('runs once in the window at most; a call after a pause does not wait', async () => {
  vi.useFakeTimers()
  const runs: number[][] = []
  const run = batched(
    async (inputs: number[]) => {
      runs.push(inputs)
      return inputs
    },
    { windowMs: 200 },
  )
  void run(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(runs).toEqual([[1]])

  void run(2)
  void run(3)
  await vi.advanceTimersByTimeAsync(199)
  expect(runs).toEqual([[1]])
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toEqual([[1], [2, 3]])

  await vi.advanceTimersByTimeAsync(200)
  void run(4)
  await vi.advanceTimersByTimeAsync(0)
  expect(runs).toEqual([[1], [2, 3], [4]])
})

test('fails only the call that cannot succeed: after a failure each one runs alone', async () => {
  const runs: number[][] = []
  const rejectTwo = batched(
    async (numbers: number[]) => {
      runs.push(numbers)
      if (numbers.includes(2)) throw new Error('not two')
      return numbers
    },
    { windowMs: 5 },
  )
  const results = await Promise.allSettled([rejectTwo(1), rejectTwo(2), rejectTwo(3)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(runs).toEqual([[1, 2, 3], [1], [2], [3]])
})
