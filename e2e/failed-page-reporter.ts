import { readFileSync } from 'node:fs'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** Characters: the error and the page's snapshot, without the test's source. */
const SHOWN = 6_000

/** Prints what the page contained when a test failed: of a run elsewhere, its output is often all there is. */
export default class FailedPageReporter implements Reporter {
  onTestEnd(test: TestCase, { attachments, status }: TestResult): void {
    if (status === test.expectedStatus) return
    const context = attachments.find(({ name }) => name === 'error-context')?.path
    if (context !== undefined) console.log(readFileSync(context, 'utf8').slice(0, SHOWN))
  }

  printsToStdio(): boolean {
    return false
  }
}
