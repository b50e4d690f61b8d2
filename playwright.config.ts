import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './e2e/browser.ts'
// Sets the day for the workers.
import './server/testing/sample-day.ts'

/** Begun first: webhooks' tests run one after another, and staff's show a list that grows with each test of the run. */
const FIRST = /(staff|webhooks)\.spec\.ts$/

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/start-desk.ts',
  projects: [
    { name: 'first', testMatch: FIRST },
    { name: 'then', testIgnore: ['screens/**', FIRST] },
  ],
  fullyParallel: true,
  // Journeys wait more than they work: a third worker uses what two leave.
  workers: Math.min(3, availableParallelism() + 1),
  // Only for what hangs: how long the rest takes differs between machines.
  timeout: 240_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  // No second try: a page that dies under a test may well have been driven to it by the desk.
  retries: 0,
  reporter: [['list'], [join(import.meta.dirname, 'e2e/failed-page-reporter.ts')]],
  use: {
    ...devices['Desktop Chrome'],
    // Set by the global setup, which runs before the workers read this file.
    baseURL: process.env.DESK_URL,
    // What a trace takes down as it goes makes all of it half as fast again; `--trace on` asks for one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findBrowser(), args: BROWSER_FLAGS },
  },
})
