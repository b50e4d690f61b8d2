import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CONCURRENT_INDEX } from './apply-migration.ts'

const SQUAWK = fileURLToPath(new URL('../node_modules/.bin/squawk', import.meta.url))
/** The runner sets the limits of time; how types and statements are written is for other checks. */
const NOT_ABOUT_LOCKS = [
  'require-lock-timeout',
  'require-statement-timeout',
  'require-enum-value-ordering',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-identity',
  'prefer-robust-stmts',
  'prefer-text-field',
  'prefer-timestamp-tz',
]

/** What in a migration would block writes of a large table, or take away what the version before it uses, by the rules of Squawk. */
export function findUnsafe(sql: string): string[] {
  const exclude = NOT_ABOUT_LOCKS.flatMap((rule) => ['--exclude', rule])
  const transaction = CONCURRENT_INDEX.test(sql) ? [] : ['--assume-in-transaction']
  const options = ['--pg-version', '16.0', '--reporter', 'json', ...transaction, ...exclude]
  const { stdout, stderr } = spawnSync(SQUAWK, options, { input: sql, encoding: 'utf8' })
  if (stdout === '') throw new Error(`Squawk did not run: ${stderr}`)
  const found: { line: number; rule_name: string; message: string }[] = JSON.parse(stdout)
  return found.map(({ line, rule_name: rule, message }) => `line ${line + 1}: ${rule}: ${message}`)
}
