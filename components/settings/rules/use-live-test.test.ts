import { expect, test } from 'vitest'
import type { BacktestState } from './use-backtest.ts'
import { isTestedBy } from './use-live-test.ts'

const NONE = { rejected: 0, approved: 0, pending: 0 }

const stateWith = (status: BacktestState['status'], judged: Partial<typeof NONE>): BacktestState => ({
  status,
  sums: { rules: [], missing: 0, total: 9, together: { judged: { ...NONE, ...judged }, caught: NONE, costMs: 0 } },
})

test('a rule is tested once the test has ended and has judged something, pending or decided', () => {
  expect(isTestedBy(stateWith('done', { pending: 1 }))).toBe(true)
  expect(isTestedBy(stateWith('done', { approved: 1 }))).toBe(true)
})

test('a rule is not tested while its test runs, after it failed, or with nothing to test it on', () => {
  const unended = (['idle', 'running', 'cancelled', 'changed', 'failed'] as const).map((status) =>
    isTestedBy(stateWith(status, { pending: 1 })),
  )
  expect(unended).toEqual([false, false, false, false, false])
  expect([isTestedBy(stateWith('done', {})), isTestedBy({ status: 'done' })]).toEqual([false, false])
})
