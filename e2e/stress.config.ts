import { defineConfig } from '@playwright/test'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'
import desk from '../playwright.config.ts'

// Read by `scaled` and `sampled` in the workers too.
process.env.STRESS_SCALE ??= '10'

const { grepInvert: _, ...everything } = desk

/** The long runs, and in full what the daily suite runs small: every width and look. Part of `npm run test:stress`. */
export default defineConfig({
  ...everything,
  testDir: '.',
  globalSetup: './start-desk.ts',
  timeout: 10 * WAIT_LIMIT_MS,
  grep: /@stress|@scaled/,
})
