import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { publishWritten } from '#server/core/database/writes.ts'
import { createLogger } from '#server/core/log.ts'
import { repeat, type Task } from '#server/worker/repeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(task: Omit<Task, 'name'>) {
  const pool = new pg.Pool()
  const ctx: Pick<Ctx, 'pool' | 'log'> = { pool, log: createLogger('silent') }
  const repeated = repeat(ctx as Ctx, { name: 'a test', ...task })
  onTestFinished(() => repeated.stop())
  return { repeated, write: (...tables: string[]) => publishWritten(pool, tables) }
}

test('a task waits until a table it reads changes, and looks by itself after 15 seconds', async () => {
  const runBatch = vi.fn(async () => false)
  const { write } = start({ everyMs: 100, wokenBy: ['event'], runBatch })
  await vi.advanceTimersByTimeAsync(14_000)
  expect(runBatch).toHaveBeenCalledTimes(1)
  write('audit')
  await vi.advanceTimersByTimeAsync(0)
  expect(runBatch).toHaveBeenCalledTimes(1)
  write('audit', 'event')
  await vi.advanceTimersByTimeAsync(0)
  expect(runBatch).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(14_999)
  expect(runBatch).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(runBatch).toHaveBeenCalledTimes(3)
})

test('changes during a batch and its pause are one batch, after the pause', async () => {
  const ending = Promise.withResolvers<boolean>()
  const runBatch = vi.fn(() => ending.promise)
  const { write } = start({ everyMs: 100, wokenBy: ['event'], runBatch })
  write('event')
  ending.resolve(false)
  await vi.advanceTimersByTimeAsync(50)
  write('event')
  await vi.advanceTimersByTimeAsync(49)
  expect(runBatch).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(runBatch).toHaveBeenCalledTimes(2)
})

test('what is due at a time is looked at then', async () => {
  const runBatch = vi.fn(async (): Promise<number | false> => (runBatch.mock.calls.length === 1 ? 700 : false))
  start({ everyMs: 100, wokenBy: ['event'], runBatch })
  await vi.advanceTimersByTimeAsync(699)
  expect(runBatch).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runBatch).toHaveBeenCalledTimes(2)
})

test('waking a task ends its pause, also one that is yet to begin', async () => {
  const ending = Promise.withResolvers<boolean>()
  const runBatch = vi.fn(() => (runBatch.mock.calls.length === 1 ? ending.promise : Promise.resolve(false)))
  const { repeated } = start({ everyMs: 100, wokenBy: ['event'], runBatch })
  repeated.wake()
  ending.resolve(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(runBatch).toHaveBeenCalledTimes(2)
  repeated.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(runBatch).toHaveBeenCalledTimes(3)
})

test('a batch that fails is tried again after the pause', async () => {
  const runBatch = vi.fn(async () => {
    throw new Error('failed')
  })
  start({ everyMs: 100, wokenBy: ['event'], runBatch })
  await vi.advanceTimersByTimeAsync(250)
  expect(runBatch).toHaveBeenCalledTimes(3)
})
