import { defineConfig } from '@playwright/test'
import desk from '../../playwright.config.ts'

// Read by `scaled` and `sampled` in the workers too.
process.env.STRESS_SCALE ??= '10'

/** The tests that the daily suite runs small, in full: every width and look, and the long runs. Part of `npm run test:stress`. */
export default defineConfig({
  ...desk,
  testDir: '..',
  globalSetup: '../start-desk.ts',
  timeout: 900_000,
  grep: /@stress/,
  // Long runs on a busy machine meet its own faults too; what passes only now is reported as flaky, to be looked into.
  retries: 1,
})
