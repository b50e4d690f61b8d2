import { defineConfig } from 'vitest/config'

const ROOMS = '{app,bench,components,e2e,prisma,server,tools}'

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
          exclude: ['**/*.db.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: [`${ROOMS}/**/*.db.test.ts`],
          globalSetup: 'server/testing/global-setup.ts',
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
