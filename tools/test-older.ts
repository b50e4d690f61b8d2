import { spawnSync } from 'node:child_process'

const DAY_MS = 86_400_000

/** How the database tests run on each older version of PostgreSQL that Docket works with. */
const VERSIONS = [
  { TEST_POSTGRES: '16', TEST_THROUGH_POOLER: 'true' },
  { TEST_POSTGRES: '17', TEST_THROUGH_POOLER: '' },
]

const day = Number(process.env.SAMPLE_DAY ?? Math.floor(Date.now() / DAY_MS))
// Like the tests that take turns: where the daily suite has just run, one version a day.
const today = process.env.TURNS === 'rest' ? VERSIONS.filter((_, index) => index === day % VERSIONS.length) : VERSIONS
for (const version of today) {
  const name = `PostgreSQL ${version.TEST_POSTGRES}${version.TEST_THROUGH_POOLER && ' through PgBouncer'}`
  console.log(`The database tests on ${name}`)
  // At the size of the daily suite.
  const { STRESS_SCALE, TURNS, ...env } = process.env
  const { status } = spawnSync('vitest', ['run', '--project', 'database', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...env, ...version },
  })
  if (status !== 0) {
    console.error(`Failed on ${name}`)
    process.exitCode = 1
  }
}
