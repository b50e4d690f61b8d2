import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Ends what a test started when that test is over, and what a file started when the file is. */
export function whenOver(end: () => unknown): void {
  // Within a running test `afterAll` would register with a suite that nobody runs.
  if (TestRunner.getCurrentTest() === undefined) afterAll(async () => void (await end()))
  else onTestFinished(async () => void (await end()))
}
