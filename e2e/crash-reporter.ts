import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** What Playwright says where a page of the browser died under a test. */
const CRASHED = /Target crashed|Page crashed/

/** A second try is for a browser that died: a test that failed by itself has failed, whatever its second try says. */
export default class CrashReporter implements Reporter {
  readonly #failed = new Set<string>()

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    if (status === 'passed' || status === 'skipped') return
    const hasCrashed = errors.some(({ message }) => CRASHED.test(message ?? ''))
    if (!hasCrashed) this.#failed.add(test.titlePath().filter(Boolean).join(' › '))
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] } | undefined> {
    if (status !== 'passed' || this.#failed.size === 0) return undefined
    console.log(['', 'Failed at the first try, which counts:', ...this.#failed].join('\n  '))
    return { status: 'failed' }
  }
}
