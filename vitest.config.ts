import { randomInt } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { WAIT_LIMIT_MS } from './server/testing/wait-until.ts'

const ROOMS = '{app,bench,components,e2e,prisma,server,tools}'
const STRESS_SCALE = process.env.STRESS_SCALE ?? '10'
const SCALED_BY = /server\/testing\/(scaled|real-file)\.ts'/
/** Tests with scaled rounds or sampled input: small in the daily suite, in full in `npm run test:stress`. */
const SCALED = globSync(`${ROOMS}/**/*.test.ts`).filter((path) => SCALED_BY.test(readFileSync(path, 'utf8')))

// Only for what hangs: a busy machine may take long.
const LIMITS = { testTimeout: 3 * WAIT_LIMIT_MS, hookTimeout: 3 * WAIT_LIMIT_MS }

/** `*.test.ts` needs nothing but Node; `*.db.test.ts` has a real PostgreSQL. Playwright's journeys end in .spec.ts. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    // Much is short-lived: with the usual space for it, a tenth of the workers' time went into collecting it.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Half of a short file's time was the import of the server: a worker keeps its modules from file to file.
    isolate: false,
    setupFiles: 'server/testing/fixed-seed.ts',
    retry: 0,
    ...LIMITS,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: [`${ROOMS}/**/*.test.{ts,tsx}`],
          exclude: ['**/*.db.test.ts', '**/*.stress.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          setupFiles: ['server/testing/row-types/record.ts'],
          globalSetup: 'server/testing/global-setup.ts',
          // Its files often wait, for starts, crashes and deliveries: with as many workers as cores it takes a fifth longer.
          // Projects that differ in this need different group orders.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          include: [`${ROOMS}/**/*.db.test.ts`],
        },
      },
      {
        extends: true,
        test: {
          name: 'stress',
          globalSetup: ['server/testing/random.ts', 'server/testing/global-setup.ts'],
          include: [`${ROOMS}/**/*.stress.test.ts`, ...SCALED],
          testTimeout: 5 * LIMITS.testTimeout,
          hookTimeout: 5 * LIMITS.testTimeout,
          env: { STRESS_SCALE, SEED: process.env.SEED ?? String(randomInt(2 ** 31)) },
        },
      },
    ],
  },
})
