import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './e2e/browser.ts'

export default defineConfig({
  testDir: 'e2e',
  workers: Math.min(2, availableParallelism()),
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    trace: 'retain-on-failure',
    launchOptions: { executablePath: findBrowser(), args: BROWSER_FLAGS },
  },
})
