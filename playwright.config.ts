import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './e2e/browser.ts'
// Sets the day for the workers.
import './server/testing/sample-day.ts'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  testIgnore: 'screens/**',
  globalSetup: './e2e/start-desk.ts',
  fullyParallel: true,
  workers: Math.min(2, availableParallelism()),
  forbidOnly: Boolean(process.env.CI),
  // No second try: a page that dies under a test may well have been driven to it by the desk.
  retries: 0,
  reporter: 'list',
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
