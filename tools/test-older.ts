import { spawnSync } from 'node:child_process'

/** How the database tests run on each older version of PostgreSQL that Docket works with. */
const VERSIONS = [
  { TEST_POSTGRES: '16', TEST_THROUGH_POOLER: 'true' },
  { TEST_POSTGRES: '17', TEST_THROUGH_POOLER: '' },
]

for (const version of VERSIONS) {
  const name = `PostgreSQL ${version.TEST_POSTGRES}${version.TEST_THROUGH_POOLER && ' through PgBouncer'}`
  console.log(`The database tests on ${name}`)
  // At the size of the daily suite.
  const { STRESS_SCALE, ...env } = process.env
  const { status } = spawnSync('vitest', ['run', '--project', 'database', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...env, ...version },
  })
  if (status !== 0) {
    console.error(`Failed on ${name}`)
    process.exitCode = 1
  }
}
