import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './e2e/browser.ts'
import { WAIT_LIMIT_MS } from './server/testing/wait-until.ts'

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/start-desk.ts',
  testIgnore: 'screens/**',
  // Long runs are part of `npm run test:stress` alone.
  grepInvert: /@stress/,
  fullyParallel: true,
  // Journeys wait more than they work: a third worker uses what two leave.
  workers: Math.min(3, availableParallelism() + 1),
  // Only for what hangs: a busy machine may take long.
  timeout: 4 * WAIT_LIMIT_MS,
  expect: { timeout: WAIT_LIMIT_MS },
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
