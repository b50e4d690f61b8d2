import type { FullResult, TestCase, TestResult } from '@playwright/test/reporter'
import { expect, test, vi } from 'vitest'
import CrashReporter from './crash-reporter.ts'

const RUN = { status: 'passed' } as FullResult
const CASE = { titlePath: () => ['', 'queue.spec.ts', 'a row is chosen'] } as TestCase
const result = (status: TestResult['status'], ...messages: string[]) =>
  ({ status, errors: messages.map((message) => ({ message })) }) as TestResult

function endOf(...results: TestResult[]) {
  const reporter = new CrashReporter()
  for (const each of results) reporter.onTestEnd(CASE, each)
  return reporter.onEnd(RUN)
}

test('what passes at the second try only fails the run, and is named', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  for (const first of [result('failed', 'expect(locator).toBeFocused() failed'), result('timedOut')])
    expect(await endOf(first, result('passed'))).toEqual({ status: 'failed' })
  expect(log).toHaveBeenCalledWith(expect.stringContaining('queue.spec.ts › a row is chosen'))
})

test('a browser that died under a test has its second try', async () => {
  expect(await endOf(result('failed', 'page.click: Target crashed'), result('passed'))).toBeUndefined()
})

test('a run in which all passed at the first try is left as it is', async () => {
  expect(await endOf(result('passed'), result('skipped'))).toBeUndefined()
})
