import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
// Sets the day for the workers.
import './server/testing/sample-day.ts'

const ROOMS = '{app,bench,components,e2e,prisma,server,tools}'
const STRESS_SCALE = process.env.STRESS_SCALE ?? '10'
const SCALED_BY = /server\/testing\/(scaled|real-file|turns)\.ts'/
/** Tests with scaled rounds, sampled input or turns: small in the daily suite, in full in `npm run test:stress`. */
const SCALED = globSync(`${ROOMS}/**/*.test.ts`).filter((path) => SCALED_BY.test(readFileSync(path, 'utf8')))

const onDatabase = {
  globalSetup: ['server/testing/sample-day.ts', 'server/testing/global-setup.ts'],
  hookTimeout: 60_000,
}

/** `*.test.ts` needs nothing but Node; `*.db.test.ts` has a real PostgreSQL. Playwright's journeys end in .spec.ts. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    // Much is short-lived: with the usual space for it, a tenth of the workers' time went into collecting it.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Half of a short file's time was the import of the server: a worker keeps its modules from file to file.
    isolate: false,
    // Only for what never comes: a busy machine may take long.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          globalSetup: 'server/testing/sample-day.ts',
          include: [`${ROOMS}/**/*.test.{ts,tsx}`],
          exclude: ['**/*.db.test.ts', '**/*.stress.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...onDatabase,
          name: 'database',
          // Its files often wait, for starts, crashes and deliveries: with two workers it takes a fifth longer on two cores.
          // Projects that differ in this need different group orders.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          include: [`${ROOMS}/**/*.db.test.ts`],
          // Docket 0.1 needed PostgreSQL 18.
          exclude: process.env.TEST_POSTGRES ? ['prisma/upgrade-from-0.1/**'] : [],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...onDatabase,
          name: 'stress',
          include: [`${ROOMS}/**/*.stress.test.ts`, ...SCALED],
          // Only for what hangs: how long the rest takes differs between machines.
          testTimeout: 900_000,
          hookTimeout: 900_000,
          env: { STRESS_SCALE },
        },
      },
    ],
  },
})
