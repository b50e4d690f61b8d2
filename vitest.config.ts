import { defineConfig } from 'vitest/config'

const ROOMS = '{app,bench,components,e2e,prisma,server,tools}'
const STRESS_SCALE = process.env.STRESS_SCALE ?? '10'
/** Races and crashes of the daily suite that `npm run test:stress` runs STRESS_SCALE times over. */
const RACES = [
  'server/races.db.test.ts',
  'server/crashes.db.test.ts',
  'server/rest/members-at-once.db.test.ts',
  'server/modules/integrations/imports/load-files.db.test.ts',
]

const onDatabase = { globalSetup: 'server/testing/global-setup.ts', hookTimeout: 60_000 }

/** `*.test.ts` needs nothing but Node; `*.db.test.ts` has a real PostgreSQL. Playwright's journeys end in .spec.ts. */
export default defineConfig({
  test: {
    maxWorkers: 2,
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
          ...onDatabase,
          name: 'database',
          include: [`${ROOMS}/**/*.db.test.ts`],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          ...onDatabase,
          name: 'stress',
          include: [`${ROOMS}/**/*.stress.test.ts`, ...RACES],
          testTimeout: 300_000,
          env: { STRESS_SCALE },
        },
      },
    ],
  },
})
